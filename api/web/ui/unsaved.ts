import { useEffect, useState } from 'react';

/*
 * What is typed into forms and not saved yet. Browsers ask before they leave or reload a page that holds some.
 */

const unsaved = new Set<object>();

addEventListener('beforeunload', (event) => {
  if (unsaved.size > 0) event.preventDefault();
});

/**
 * Keeps watch over one form.
 * @param settled whether nothing is on its way and the last try was not refused
 * @returns to be called when somebody typed into it
 */
export function useUnsaved(settled: boolean): () => void {
  const [form] = useState({});
  useEffect(() => {
    if (settled) unsaved.delete(form);
  }, [form, settled]);
  useEffect(() => () => void unsaved.delete(form), [form]);
  return () => void unsaved.add(form);
}
