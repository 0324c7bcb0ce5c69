package com.example.orders;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;

/** Keeps the newest orders in memory and appends a digest of each to an audit channel. */
final class OrderStore {
  private static final int CAPACITY = 400;
  private final TreeMap<Long, Order> byId = new TreeMap<>();
  private final Deque<Long> age = new ArrayDeque<>();
  private final WritableByteChannel audit;
  private final JsonWriter json = new JsonWriter();

  OrderStore(WritableByteChannel audit) {
    this.audit = audit;
  }

  void persist(Order order) {
    byte[] document = encode(order);
    byte[] digest = digest(document);
    long checksum = Checksum.crc(document);
    commit(order, digest, checksum);
  }

  private byte[] encode(Order order) {
    return json.write(order).getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] digest(byte[] document) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(document);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private synchronized void commit(Order order, byte[] digest, long checksum) {
    byId.put(order.id, order);
    age.addLast(order.id);
    while (age.size() > CAPACITY) {
      byId.remove(age.removeFirst());
    }
    appendAudit(digest, checksum);
  }

  private void appendAudit(byte[] digest, long checksum) {
    ByteBuffer entry = ByteBuffer.allocate(Long.BYTES + digest.length);
    entry.putLong(checksum).put(digest).flip();
    try {
      while (entry.hasRemaining()) {
        audit.write(entry);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  synchronized List<Order> snapshot() {
    return new ArrayList<>(byId.values());
  }
}
