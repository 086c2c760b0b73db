import { useEffect, useState } from 'react';

/* Unsaved input in forms. Browsers ask for confirmation before they leave or reload a page that has some. */

const unsaved = new Set<object>();

addEventListener('beforeunload', (event) => {
  if (unsaved.size > 0) event.preventDefault();
});

/**
 * Tracks the unsaved input of one form.
 * @param settled whether no submission is in progress and the last one was not refused
 * @returns to be called when the user types in it
 */
export function useUnsaved(settled: boolean): () => void {
  const [form] = useState({});
  useEffect(() => {
    if (settled) unsaved.delete(form);
  }, [form, settled]);
  useEffect(() => () => void unsaved.delete(form), [form]);
  return () => void unsaved.add(form);
}

const FIELDS =
  'textarea, select, input:not([type="checkbox"], [type="radio"], [type="button"], [type="submit"]), [data-editor]';

/** Marks a form as submitted: the focus may then leave its fields, until the user types in them again. */
export const noteSent = (form: HTMLFormElement): void => void (form.dataset.sent = '');

/** Marks that the user types in a form. */
export const noteTyped = (form: HTMLFormElement): void => void delete form.dataset.sent;

/** Whether the focus is in a field with unsubmitted input, from which it must not be moved. */
export function isTyping(): boolean {
  const field = document.activeElement;
  return field !== null && field.matches(FIELDS) && field.closest('form[data-sent]') === null;
}
