const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
// Own pattern: names of days and months.
/** The forms that RFC 9110 names, and ISO 8601: JavaScript alone would read dates into almost any text. */
const FORMS = [
  new RegExp(`^${DAY}, \\d{2} ${MONTH} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT$`, 'i'),
  new RegExp(`^${DAY}[a-z]*, \\d{2}-${MONTH}-\\d{2} \\d{2}:\\d{2}:\\d{2} GMT$`, 'i'),
  new RegExp(`^${DAY} ${MONTH} [ \\d]\\d \\d{2}:\\d{2}:\\d{2} \\d{4}$`, 'i'),
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/,
];

/** The moment of a header such as `If-Unmodified-Since`; null when it is none. */
export function parseHttpDate(text: string): Date | null {
  if (text === '' || !FORMS.some((form) => form.test(text))) return null;
  // The third form names no zone; all of them are UTC.
  const moment = new Date(FORMS[2]?.test(text) ? `${text} GMT` : text);
  return Number.isNaN(moment.getTime()) ? null : moment;
}
