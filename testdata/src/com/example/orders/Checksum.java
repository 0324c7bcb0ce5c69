package com.example.orders;

/** A bitwise CRC-32, slow on purpose: it shows as one hot method. */
final class Checksum {
  private Checksum() {}

  static long crc(byte[] bytes) {
    int crc = -1;
    for (byte b : bytes) {
      crc = update(crc, b);
    }
    return ~crc & 0xFFFFFFFFL;
  }

  private static int update(int crc, byte b) {
    int value = crc ^ (b & 0xFF);
    for (int bit = 0; bit < 8; bit++) {
      value = (value >>> 1) ^ (0xEDB88320 & -(value & 1));
    }
    return value;
  }
}
