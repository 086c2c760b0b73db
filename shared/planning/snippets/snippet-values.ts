import { clearableText, oneOf, optional, text } from '../../core/operations/fields.js';
import { snippetProblem } from './snippet-files.js';
import { SNIPPET_VISIBILITIES } from './snippet.entity.js';

const MAX_TITLE = 255;
const MAX_DESCRIPTION = 1_048_576;

export const visibilityParam = oneOf(SNIPPET_VISIBILITIES).describe(
  'Visibility of the snippet to users other than its author.',
);
export const titleParam = text()
  .describe('Title of the snippet, of at most 255 characters.')
  .meta({ examples: ['A fight'] });
export const descriptionParam = clearableText().describe('Description of the snippet, in Markdown.');
export const fileNameParam = optional(text()).describe('Name of the only file of the snippet.');

const isTooLong = (value: string, most: number) => value.length > most && [...value].length > most;

/** @throws Invalid */
export function requireSnippetValues({
  title,
  description,
}: {
  title?: string | undefined;
  description?: string | null | undefined;
}): void {
  if (title?.trim() === '') throw snippetProblem("Title can't be blank");
  if (title !== undefined && isTooLong(title, MAX_TITLE))
    throw snippetProblem(`Title is too long (maximum is ${MAX_TITLE} characters)`);
  if (description && isTooLong(description, MAX_DESCRIPTION))
    throw snippetProblem(`Description is too long (maximum is ${MAX_DESCRIPTION} characters)`);
}
