import { BadParams } from '../../core/values/errors.js';
import { oneOf, withDefault } from '../../core/operations/fields.js';

export const encoding = withDefault(oneOf(['text', 'base64']), 'text').describe(
  'How the content is written; bytes that are no text need base64.',
);

/**
 * The bytes of a file as a request writes them; base64 may be broken into lines.
 * @param name of the parameter, for the error
 * @throws BadParams
 */
export function contentBytes(content: string, encoded: 'text' | 'base64', name: string): Buffer {
  if (encoded === 'text') return Buffer.from(content, 'utf8');
  const digits = content.replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(digits) || digits.replace(/=+$/, '').length % 4 === 1)
    throw new BadParams([`${name} is invalid`]);
  return Buffer.from(digits, 'base64');
}
