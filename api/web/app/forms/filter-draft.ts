import { useState } from 'react';

/**
 * The values of a filter's fields: those in the address until the user changes them, and again when the address
 * changes. The fields stay mounted, and retain the focus.
 */
export function useFilterDraft<T extends object>(filters: T): [T, (changed: Partial<T>) => void] {
  const address = JSON.stringify(filters);
  const [held, hold] = useState({ address, values: filters });
  const values = held.address === address ? held.values : filters;
  return [values, (changed) => hold({ address, values: { ...values, ...changed } })];
}
