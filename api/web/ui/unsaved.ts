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

const FIELDS = 'textarea, select, input:not([type="checkbox"], [type="radio"], [type="button"], [type="submit"])';

/** Notes that a form was sent: the focus may leave its fields then, until somebody types in them again. */
export const noteSent = (form: HTMLFormElement): void => void (form.dataset.sent = '');

/** Notes that somebody types in a form. */
export const noteTyped = (form: HTMLFormElement): void => void delete form.dataset.sent;

/** Whether somebody is at a field of what was not sent: nothing takes the focus from there. */
export function isTyping(): boolean {
  const field = document.activeElement;
  return field !== null && field.matches(FIELDS) && field.closest('form[data-sent]') === null;
}
