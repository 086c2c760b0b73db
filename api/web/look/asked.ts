import { useState } from 'react';

/**
 * What the fields of a filter hold: what the address asks for, until somebody changes it, and anew where the address
 * changes. The fields stay, and so does the focus.
 */
export function useAsked<T extends object>(asked: T): [T, (changed: Partial<T>) => void] {
  const address = JSON.stringify(asked);
  const [held, hold] = useState({ address, values: asked });
  const values = held.address === address ? held.values : asked;
  return [values, (changed) => hold({ address, values: { ...values, ...changed } })];
}
