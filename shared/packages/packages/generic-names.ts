import { text } from '../../core/operations/fields.js';

/** Characters of each part at most. */
const LONGEST = 255;

/** Of letters, digits and a few signs, so that no name means anything to a path; two dots never follow each other. */
const NAME = /^[\w.+-]+$/;
const FILE = /^[\w.+-][\w.+~@-]*$/;

const part = (pattern: RegExp) =>
  text()
    .refine((value) => {
      const name = value as string;
      return name.length <= LONGEST && pattern.test(name) && name !== '.' && !name.includes('..');
    }, 'is invalid')
    .meta({ type: 'string', maxLength: LONGEST });

/** The path of a file in a generic package. */
export const genericFileParams = {
  package_name: part(NAME)
    .describe('Name of the package: letters, digits, `.`, `_`, `-` and `+`.')
    .meta({ examples: ['rocket'] }),
  package_version: part(NAME)
    .describe('Version of the package.')
    .meta({ examples: ['1.0.0'] }),
  file_name: part(FILE)
    .describe('Name of the file: characters of package names, and `~` and `@` after the first character.')
    .meta({ examples: ['rocket.tar.gz'] }),
};
