package com.example.orders;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.Pipe;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An order-processing service in miniature: intake threads parse texts, a fork-join pool prices them,
 * persistence threads encode, hash and store them, a reporting thread sums them up.
 *
 * <p>Arguments: milliseconds of work, contended monitor enters, timed parks.
 */
public final class OrderService {
  private static final AtomicInteger PRICING_WORKERS = new AtomicInteger();
  private final BlockingQueue<String> texts = new ArrayBlockingQueue<>(32);
  private final BlockingQueue<Order> priced = new ArrayBlockingQueue<>(16);
  private final Inventory inventory = new Inventory();
  private final Pipe auditPipe = Pipe.open();
  private final OrderStore store = new OrderStore(auditPipe.sink());
  private final ForkJoinPool pricing = new ForkJoinPool(2, OrderService::pricingWorker, null, false);
  private final ExecutorService intake = Executors.newFixedThreadPool(2, named("intake"));
  private final ExecutorService persistence = Executors.newFixedThreadPool(2, named("persistence"));
  private final ScheduledExecutorService reporting = Executors.newScheduledThreadPool(1, named("reporting"));
  private final AtomicInteger rejected = new AtomicInteger();
  private final AtomicInteger reportBytes = new AtomicInteger();
  private volatile boolean open = true;

  private OrderService() throws IOException {}

  public static void main(String[] args) throws Exception {
    long workMillis = Long.parseLong(args[0]);
    int contentions = Integer.parseInt(args[1]);
    int parks = Integer.parseInt(args[2]);
    OrderService service = new OrderService();
    service.start();
    service.feed(System.nanoTime() + workMillis * 1_000_000);
    service.stop();
    service.inventory.reconcile(contentions, 15);
    service.inventory.awaitDelivery(parks, 12);
    System.out.println("rejected " + service.rejected + ", report characters " + service.reportBytes);
  }

  private static ThreadFactory named(String prefix) {
    AtomicInteger number = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, prefix + "-" + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  private static ForkJoinWorkerThread pricingWorker(ForkJoinPool pool) {
    ForkJoinWorkerThread worker = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
    worker.setName("pricing-" + PRICING_WORKERS.incrementAndGet());
    return worker;
  }

  private void start() {
    for (int i = 0; i < 2; i++) {
      intake.execute(this::intakeLoop);
      persistence.execute(this::persistenceLoop);
    }
    reporting.scheduleWithFixedDelay(this::report, 100, 25, TimeUnit.MILLISECONDS);
    named("audit-log").newThread(this::readAudit).start();
  }

  private void feed(long endNanos) throws InterruptedException {
    OrderSource source = new OrderSource(42);
    for (int i = 1; System.nanoTime() < endNanos; i++) {
      texts.put(i % 400 == 0 ? source.brokenText() : source.nextText());
    }
  }

  private void intakeLoop() {
    try {
      while (open) {
        String text = texts.poll(20, TimeUnit.MILLISECONDS);
        if (text != null) {
          handle(text);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void handle(String text) throws InterruptedException {
    try {
      Order order = OrderParser.parse(text);
      order.totalCents = pricing.invoke(new PriceCalculator(order.lines));
      order.lines.forEach(inventory::take);
      priced.offer(order, 1, TimeUnit.SECONDS);
    } catch (OrderParser.OrderSyntaxException e) {
      rejected.incrementAndGet();
    }
  }

  private void persistenceLoop() {
    try {
      while (open) {
        Order order = priced.poll(20, TimeUnit.MILLISECONDS);
        if (order != null) {
          store.persist(order);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void report() {
    reportBytes.addAndGet(new ReportBuilder().build(store.snapshot()).length());
  }

  private void readAudit() {
    ByteBuffer buffer = ByteBuffer.allocate(4096);
    try {
      while (auditPipe.source().read(buffer.clear()) >= 0) {
        Thread.onSpinWait();
      }
    } catch (AsynchronousCloseException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void stop() throws Exception {
    Thread.sleep(50);
    open = false;
    for (ExecutorService pool : new ExecutorService[] {intake, persistence, reporting, pricing}) {
      pool.shutdown();
      pool.awaitTermination(5, TimeUnit.SECONDS);
    }
    auditPipe.sink().close();
  }
}
