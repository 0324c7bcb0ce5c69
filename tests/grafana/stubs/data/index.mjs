// What the flame graph panel asks of Grafana, as far as its reading of data needs it.
export const FieldType = {
  time: 'time', number: 'number', string: 'string', boolean: 'boolean', enum: 'enum', other: 'other',
};
export const createTheme = () => ({});
export function getDisplayProcessor({ field }) {
  const texts = field?.config?.type?.enum?.text;
  return (value) => ({ text: texts ? texts[value] : String(value), numeric: value });
}
