import path from 'node:path';

const common = {
  max_connections: '200',
  shared_buffers: '256MB',
  // Pays off for long analytical statements only, and costs short ones their latency.
  jit: 'off',
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/**
 * Settings of a server that keeps what it is given. Its log goes to one file for each day of the week, written over a week later.
 *
 * @param {string} home
 */
export function durable(home) {
  return {
    ...common,
    work_mem: '8MB',
    maintenance_work_mem: '128MB',
    wal_compression: 'on',
    max_wal_size: '2GB',
    log_line_prefix: '%m [%p] ',
    logging_collector: 'on',
    log_directory: path.join(home, 'log'),
    log_filename: 'postgresql-%a.log',
    log_rotation_age: '1d',
    log_truncate_on_rotation: 'on',
  };
}

/** Settings of a server whose data may be lost at any time. */
export function throwaway() {
  return {
    ...common,
    // Hundreds of small databases come and go: dropping one looks through all buffers, and each connection maps them.
    shared_buffers: '64MB',
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    io_method: 'sync',
    autovacuum_naptime: '1h',
  };
}
