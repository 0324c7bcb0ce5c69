"""The types that generated recordings declare, under the names and fields that JDK 17 to 25 use."""

from __future__ import annotations

from dataclasses import dataclass

EVENT = "jdk.jfr.Event"
ANNOTATION = "java.lang.annotation.Annotation"

Annotations = tuple[tuple[str, str | None], ...]


@dataclass(frozen=True)
class Field:
    """A field: its type by name, whether its value is a key of that type's pool, or an array."""

    name: str
    type: str
    is_constant: bool = False
    is_array: bool = False
    annotations: Annotations = ()


@dataclass(frozen=True)
class Type:
    name: str
    fields: tuple[Field, ...] = ()
    super_type: str | None = None
    is_simple: bool = False
    label: str | None = None


_TICKS: Annotations = (("jdk.jfr.Timestamp", "TICKS"),)
_SPAN: Annotations = (("jdk.jfr.Timespan", "TICKS"),)
_BYTES: Annotations = (("jdk.jfr.DataAmount", "BYTES"),)

_START = Field("startTime", "long", annotations=_TICKS)
_DURATION = Field("duration", "long", annotations=_SPAN)
_THREAD = Field("eventThread", "java.lang.Thread", is_constant=True)
_STACK = Field("stackTrace", "jdk.types.StackTrace", is_constant=True)
_INSTANT = (_START, _THREAD, _STACK)
_LASTING = (_START, _DURATION, _THREAD, _STACK)


def _plain(name: str, kind: str, *annotations: tuple[str, str | None]) -> Field:
    return Field(name, kind, annotations=annotations)


def _class(name: str) -> Field:
    return Field(name, "java.lang.Class", is_constant=True)


def _size(name: str) -> Field:
    return Field(name, "long", annotations=_BYTES)


def _event(name: str, *fields: Field, label: str | None = None) -> Type:
    return Type(name, fields, EVENT, label=label)


def _annotation(name: str, *, has_value: bool = True) -> Type:
    fields = (Field("value", "java.lang.String"),) if has_value else ()
    return Type(name, fields, ANNOTATION)


def _constant(name: str, text_field: str) -> Type:
    return Type(name, (Field(text_field, "java.lang.String"),), is_simple=True)


def _symbol(name: str) -> Field:
    return Field(name, "jdk.types.Symbol", is_constant=True)


BASE_TYPES: tuple[Type, ...] = (
    *(
        Type(name)
        for name in ("boolean", "byte", "short", "char", "int", "long", "float", "double")
    ),
    Type("java.lang.String"),
    _annotation("jdk.jfr.Label"),
    _annotation("jdk.jfr.Timestamp"),
    _annotation("jdk.jfr.Timespan"),
    _annotation("jdk.jfr.DataAmount"),
    _annotation("jdk.jfr.Unsigned", has_value=False),
    _constant("jdk.types.Symbol", "string"),
    _constant("jdk.types.FrameType", "description"),
    _constant("jdk.types.ThreadState", "name"),
    _constant("jdk.types.GCName", "name"),
    _constant("jdk.types.GCCause", "cause"),
    Type("jdk.types.Package", (_symbol("name"),)),
    Type(
        "java.lang.Class",
        (
            _symbol("name"),
            Field("package", "jdk.types.Package", is_constant=True),
            _plain("modifiers", "int"),
            _plain("hidden", "boolean"),
        ),
    ),
    Type(
        "jdk.types.Method",
        (
            Field("type", "java.lang.Class", is_constant=True),
            _symbol("name"),
            _symbol("descriptor"),
            _plain("modifiers", "int"),
            _plain("hidden", "boolean"),
        ),
    ),
    Type(
        "jdk.types.StackFrame",
        (
            Field("method", "jdk.types.Method", is_constant=True),
            _plain("lineNumber", "int"),
            _plain("bytecodeIndex", "int"),
            Field("type", "jdk.types.FrameType", is_constant=True),
        ),
    ),
    Type(
        "jdk.types.StackTrace",
        (_plain("truncated", "boolean"), Field("frames", "jdk.types.StackFrame", is_array=True)),
    ),
    Type(
        "java.lang.Thread",
        (
            _plain("osName", "java.lang.String"),
            _plain("osThreadId", "long"),
            _plain("javaName", "java.lang.String"),
            _plain("javaThreadId", "long"),
        ),
    ),
    _event(
        "jdk.ActiveSetting",
        _START,
        _plain("id", "long"),
        _plain("name", "java.lang.String"),
        _plain("value", "java.lang.String"),
        label="Recording Setting",
    ),
    _event(
        "jdk.JVMInformation",
        _START,
        _plain("jvmName", "java.lang.String"),
        _plain("jvmVersion", "java.lang.String"),
        _plain("jvmStartTime", "long", ("jdk.jfr.Timestamp", "MILLISECONDS_SINCE_EPOCH")),
        _plain("pid", "long"),
        label="JVM Information",
    ),
    _event(
        "jdk.GarbageCollection",
        _START,
        _DURATION,
        _plain("gcId", "int"),
        Field("name", "jdk.types.GCName", is_constant=True),
        Field("cause", "jdk.types.GCCause", is_constant=True),
        Field("sumOfPauses", "long", annotations=_SPAN),
        Field("longestPause", "long", annotations=_SPAN),
        label="Garbage Collection",
    ),
)

SAMPLE_TYPES: dict[str, Type] = {
    kind.name: kind
    for kind in (
        _event(
            "jdk.ExecutionSample",
            _START,
            Field("sampledThread", "java.lang.Thread", is_constant=True),
            _STACK,
            Field("state", "jdk.types.ThreadState", is_constant=True),
        ),
        _event(
            "jdk.CPUTimeSample",
            _START,
            _STACK,
            _THREAD,
            _plain("failed", "boolean"),
            Field("samplingPeriod", "long", annotations=_SPAN),
            _plain("biased", "boolean"),
        ),
        _event(
            "jdk.ObjectAllocationInNewTLAB",
            *_INSTANT,
            _class("objectClass"),
            _size("allocationSize"),
            _size("tlabSize"),
        ),
        _event(
            "jdk.ObjectAllocationOutsideTLAB",
            *_INSTANT,
            _class("objectClass"),
            _size("allocationSize"),
        ),
        _event(
            "jdk.JavaMonitorEnter",
            *_LASTING,
            _class("monitorClass"),
            Field("previousOwner", "java.lang.Thread", is_constant=True),
            _plain("address", "long", ("jdk.jfr.Unsigned", None)),
        ),
        _event(
            "jdk.ThreadPark",
            *_LASTING,
            _class("parkedClass"),
            _plain("timeout", "long", ("jdk.jfr.Timespan", "NANOSECONDS")),
            _plain("address", "long", ("jdk.jfr.Unsigned", None)),
        ),
        _event(
            "jdk.JavaMonitorWait",
            *_LASTING,
            _class("monitorClass"),
            _plain("timedOut", "boolean"),
        ),
        _event(
            "jdk.FileRead",
            *_LASTING,
            _plain("path", "java.lang.String"),
            _size("bytesRead"),
            _plain("endOfFile", "boolean"),
        ),
        _event(
            "jdk.SocketWrite",
            *_LASTING,
            _plain("host", "java.lang.String"),
            _plain("port", "int"),
            _size("bytesWritten"),
        ),
        _event(
            "jdk.JavaExceptionThrow",
            *_INSTANT,
            _plain("message", "java.lang.String"),
            _class("thrownClass"),
        ),
    )
}
