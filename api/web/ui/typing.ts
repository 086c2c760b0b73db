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
