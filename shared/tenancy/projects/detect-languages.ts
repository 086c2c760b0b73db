import type { Language } from 'linguist-languages';
import { languageAttributes } from './attributes.js';
import type { LanguageAttributes } from './attributes.js';
import { countedLanguage, isCode, languageFinder } from './language-data.js';
import type { LanguageFinder } from './language-data.js';
import { isDocumentation, isGenerated, isVendored } from './own-files.js';

interface File {
  id: string;
  path: string;
  size: number;
}

/** Reads files by id, in the same order; an empty string for a missing file. */
export type ReadFiles = (ids: string[]) => Promise<string[]>;

/** Files of so many bytes are opened, and so many of them: for their first line, and for attributes. */
const OPENED_BYTES = 64 * 1024;
const MOST_OPENED = 200;
const MOST_ATTRIBUTES = 50;
/** How often files are compared with patterns: other jobs of the process wait meanwhile. */
const MOST_COMPARED = 2_000_000;

async function readTexts(files: readonly File[], most: number, read: ReadFiles): Promise<(File & { text: string })[]> {
  const opened = files.filter(({ size }) => size > 0 && size <= OPENED_BYTES).slice(0, most);
  const texts = await read(opened.map(({ id }) => id));
  return opened.map((file, index) => ({ ...file, text: texts[index] ?? '' }));
}

const getName = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** Whether the project itself wrote the file, by what its attributes say, or else by its name. */
function isOwn(path: string, fileAttributes: LanguageAttributes): boolean {
  if (fileAttributes.vendored ?? isVendored(path)) return false;
  if (fileAttributes.generated ?? isGenerated(path)) return false;
  return !(fileAttributes.documentation ?? isDocumentation(path));
}

function counted(found: Language | null, fileAttributes: LanguageAttributes): string | null {
  return found && (fileAttributes.detectable ?? isCode(found)) ? countedLanguage(found) : null;
}

/** The languages of scripts whose file names do not determine one, by path. */
async function scriptLanguages(files: readonly File[], finder: LanguageFinder, read: ReadFiles) {
  const silent = files.filter(({ path }) => !getName(path).slice(1).includes('.') && !finder.ofPath(path));
  const opened = await readTexts(silent, MOST_OPENED, read);
  return new Map(opened.map(({ path, text }) => [path, finder.ofScript(text)]));
}

/**
 * Bytes of each programming language among files: determined by `.gitattributes`, otherwise by file name, otherwise by
 * the interpreter. Vendored and generated files, data and prose do not count, unless an attribute includes them.
 */
export async function detectLanguages(files: readonly File[], read: ReadFiles): Promise<Map<string, number>> {
  const finder = await languageFinder();
  const attributes = files.filter(({ path }) => getName(path) === '.gitattributes');
  const texts = await readTexts(attributes, MOST_ATTRIBUTES, read);
  const attributesOf = languageAttributes(texts, Math.floor(MOST_COMPARED / Math.max(1, files.length)));
  const own = files
    .filter(({ size }) => size > 0)
    .map((file) => ({ ...file, fileAttributes: attributesOf(file.path) }))
    .filter(({ path, fileAttributes }) => isOwn(path, fileAttributes));
  const scripts = await scriptLanguages(own, finder, read);
  const bytes = new Map<string, number>();
  for (const { path, size, fileAttributes } of own) {
    const override = fileAttributes.language === undefined ? null : finder.byName(fileAttributes.language);
    const language = counted(override ?? finder.ofPath(path) ?? scripts.get(path) ?? null, fileAttributes);
    if (language !== null) bytes.set(language, (bytes.get(language) ?? 0) + size);
  }
  return bytes;
}
