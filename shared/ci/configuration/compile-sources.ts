import { RuleSourceError } from '../rules/rule-errors.js';
import type { RuleContext } from '../rules/rules.types.js';
import type { IncludeAnswer, IncludeRequest } from '../configuration-files/expand-includes.js';
import type { DataAnswer, DataRequest } from './compile.types.js';

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
  return {
    changedPaths: (compareTo) => listPaths({ kind: 'changed', compareTo: compareTo ?? null }),
    pathsInTree: (project, ref) => listPaths({ kind: 'tree', project: project ?? null, ref: ref ?? null }),
    async fetchFiles(request) {
      const answer = await ask({ kind: 'include', request });
      return answer.kind === 'include' ? answer.answer : { error: 'The file could not be read.' };
    },
  };
}
