import { LRUCache } from 'lru-cache';
import type { YamlFile } from '../../core/values/yaml.js';

/** Bytes of memory of all that are remembered, about: a twelfth of what the thread may have. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Of the text, and again of the values, which consist of its characters. */
const BYTES_OF_CHARACTER = 4;

interface ParsedFile {
  text: string;
  file: YamlFile;
}

/**
 * Files that this thread parsed, by their ids in git: what they are before includes, inputs and rules, which is the same
 * for every caller. The values are shared, so nothing in them may be changed.
 */
const parsedFiles = new LRUCache<string, ParsedFile>({
  maxSize: MAX_BYTES,
  sizeCalculation: ({ text, file }) => text.length * BYTES_OF_CHARACTER + file.memory,
});

/**
 * What a file was parsed to before. Whoever asks must have its text already, and another text of that id is another
 * file.
 */
export function parseOnce(text: string, blobId: string | null | undefined, parse: () => YamlFile): YamlFile {
  if (!blobId) return parse();
  const known = parsedFiles.get(blobId);
  if (known?.text === text) return known.file;
  const file = parse();
  parsedFiles.set(blobId, { text, file });
  return file;
}
