import type { IncludeEntry } from './include-entries.js';
import { IncludeError } from './include-rules.js';
import type { FileOrigin, IncludeRequest } from './include.types.js';

/**
 * What has to be fetched for one entry of `include`: one request for each file of a project, else a single one.
 * @param from the origin of the file with the entry
 * @throws IncludeError with the public text, for paths and addresses that can't name a configuration file
 */
export function createRequests(entry: IncludeEntry, from: FileOrigin | null): IncludeRequest[] {
  const { source } = entry;
  if (source.kind === 'local') return [createLocalRequest(source.path, from)];
  if (source.kind === 'remote') return [createRemoteRequest(source.url)];
  const { project, ref } = source;
  return source.paths.map((file) => {
    const path = trimPath(file);
    checkExtension(path);
    if (!isSafe(path)) throw new IncludeError(`Project \`${project}\` file \`${path}\` does not exist!`);
    return { kind: 'project', project, path, ...(ref === undefined ? {} : { ref }), from };
  });
}

/** @throws IncludeError for a name that does not end in `.yml` or `.yaml` */
export function checkExtension(location: string): void {
  if (/[^/]\.ya?ml$/i.test(location)) return;
  throw new IncludeError(`Included file \`${location}\` does not have YAML extension!`);
}

function createLocalRequest(text: string, from: FileOrigin | null): IncludeRequest {
  const path = trimPath(text);
  const isGlob = path.includes('*');
  if (!isGlob) checkExtension(path);
  if (from === null) throw new IncludeError(`Local file \`${path}\` does not have project!`);
  if (!isSafe(path)) throw new IncludeError(`Local file \`${path}\` does not exist!`);
  return isGlob ? { kind: 'local-glob', pattern: path, from } : { kind: 'local', path, from };
}

function createRemoteRequest(url: string): IncludeRequest {
  checkExtension(url);
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new IncludeError(`Remote file \`${url}\` does not have a valid address!`);
  return { kind: 'remote', url };
}

const trimPath = (path: string) => path.replace(/^\/+/, '');

const isSafe = (path: string) => !path.includes('\0') && !path.split('/').includes('..');
