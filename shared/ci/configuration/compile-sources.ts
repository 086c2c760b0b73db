import { compileGlob } from '../rules/glob-pattern.js';
import { RuleSourceError } from '../rules/rule-errors.js';
import type { RuleContext } from '../rules/rules.types.js';
import type { IncludeAnswer, IncludeRequest } from '../configuration-files/expand-includes.js';
import type { DataAnswer, DataRequest, FileRequest } from './compile.types.js';

/** Files that a glob of includes may match. */
const MAX_MATCHES = 150;

export type FetchData = (request: DataRequest) => Promise<DataAnswer>;

/** What a compilation reads of the repository, each once. */
export interface CompileSources extends Pick<RuleContext, 'changedPaths' | 'pathsInTree'> {
  fetchFiles(request: IncludeRequest): Promise<IncludeAnswer>;
}

/** Turns requests of rules and includes into messages to the other side of the thread. */
export function createCompileSources(ask: FetchData): CompileSources {
  const known = new Map<string, Promise<string[] | null>>();
  const listPaths = (request: DataRequest) => {
    const key = JSON.stringify(request);
    const paths = known.get(key) ?? readPaths(request);
    known.set(key, paths);
    return paths;
  };
  const readPaths = async (request: DataRequest) => {
    const answer = await ask(request);
    if (answer.kind === 'rejected') throw new RuleSourceError(answer.message);
    return answer.kind === 'paths' ? answer.paths : null;
  };
  const fetchFile = async (request: FileRequest): Promise<IncludeAnswer> => {
    const answer = await ask({ kind: 'include', request });
    return answer.kind === 'include' ? answer.answer : { error: 'The file could not be read.' };
  };
  return {
    changedPaths: (compareTo) => listPaths({ kind: 'changed', compareTo: compareTo ?? null }),
    pathsInTree: (project, ref) => listPaths({ kind: 'tree', project: project ?? null, ref: ref ?? null }),
    async fetchFiles(request) {
      if (request.kind !== 'local-glob') return fetchFile(request);
      const { pattern, from } = request;
      const paths = await listPaths({ kind: 'tree', project: from.project, ref: from.sha });
      if (paths === null) return { error: `Local files \`${pattern}\` are looked for among too many files!` };
      const glob = compileGlob(pattern);
      const found = glob ? paths.filter((path) => /\.ya?ml$/.test(path) && glob.matches(path)).sort() : [];
      // One more than are allowed is refused with the right text by the limit of includes.
      const read = found.slice(0, MAX_MATCHES + 1).map((path) => fetchFile({ kind: 'local', path, from }));
      const answers = await Promise.all(read);
      const failed = answers.find((answer) => 'error' in answer);
      return failed ?? { files: answers.flatMap((answer) => ('files' in answer ? answer.files : [])) };
    },
  };
}
