import { languageFinder } from './language-data.js';

/** Folders of what others wrote, and of what explains or shows. */
const NOT_OWN =
  /(^|\/)(node_modules|bower_components|vendor|vendors|third[-_]?party|dist|\.yarn|\.venv)\/|^(docs?|documentation|examples?|samples?)\//i;
/** What tools wrote. */
const GENERATED = /\.min\.(js|css)$|[.-]bundle\.js$|\.pb\.(go|cc|h)$|_pb2\.py$|\.designer\.cs$|\.map$/i;

/** Bytes of each programming language among files, told by their names. */
export async function detectLanguages(files: readonly { path: string; size: number }[]): Promise<Map<string, number>> {
  const languageOf = await languageFinder();
  const bytes = new Map<string, number>();
  for (const { path, size } of files) {
    if (size === 0 || NOT_OWN.test(path) || GENERATED.test(path)) continue;
    const language = languageOf(path);
    if (language !== null) bytes.set(language, (bytes.get(language) ?? 0) + size);
  }
  return bytes;
}
