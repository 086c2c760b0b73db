import { useState } from 'react';

/**
 * What the fields of a filter hold: what the address asks for, until somebody changes it, and anew where the address
 * changes. The fields stay, and so does the focus.
 */
export function useFilterDraft<T extends object>(filters: T): [T, (changed: Partial<T>) => void] {
  const address = JSON.stringify(filters);
  const [held, hold] = useState({ address, values: filters });
  const values = held.address === address ? held.values : filters;
  return [values, (changed) => hold({ address, values: { ...values, ...changed } })];
}
