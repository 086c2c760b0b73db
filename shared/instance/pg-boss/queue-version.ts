/** The version of the queue's tables, as an expression of a statement that is sent before any entity is known. */
export const QUEUE_VERSION = '(select json_agg(v.version) from pgboss.version v)';
