/**
 * Converts dotted keys of a row to nested objects: `{"id":1,"owner.id":2}` to `{id:1, owner:{id:2}}`.
 * A nested object whose `id` is null (an outer join without a match) becomes null.
 */
export function nest<T>(row: Record<string, unknown>): T {
  const result: Record<string, unknown> = {};
  for (const key in row) {
    const dot = key.indexOf('.');
    if (dot < 0) {
      result[key] = row[key];
      continue;
    }
    let target = result;
    let rest = key;
    for (let at = dot; at >= 0; at = rest.indexOf('.')) {
      const head = rest.slice(0, at);
      target = (target[head] ??= {}) as Record<string, unknown>;
      rest = rest.slice(at + 1);
    }
    target[rest] = row[key];
  }
  dropUnmatched(result);
  return result as T;
}

function dropUnmatched(record: Record<string, unknown>) {
  for (const key in record) {
    const value = record[key];
    if (value === null || typeof value !== 'object' || value.constructor !== Object) continue;
    const nested = value as Record<string, unknown>;
    if ('id' in nested && nested.id === null) record[key] = null;
    else dropUnmatched(nested);
  }
}
