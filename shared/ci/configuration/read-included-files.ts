import { ANONYMOUS } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { OutboundRejectedError } from '../../core/network/outbound.js';
import { getOutbound, OutboundResponseError, OutboundTimeout } from '../../core/network/request-outbound.js';
import { Limiter } from '../../core/values/limiter.js';
import { readBlob, readTree } from '../../git/index.js';
import { loadCommitSha } from '../../repositories/repositories/commit-of.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { findVisibleProject } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import type { FileOrigin, IncludeAnswer, SourceFile } from '../configuration-files/include.types.js';
import { commitReads } from './commit-reads.js';
import type { FileRequest } from './compile.types.js';
import { rejectProject, rejectRef } from '../rules/rule-errors.js';

/** Of a configuration file. */
const MAX_FILE_BYTES = 2 * 1024 * 1024;
const MAX_REMOTE_BYTES = 1024 * 1024;
const REMOTE_TIMEOUT_MS = 5000;
/** Of all files that one configuration includes: they are held in memory. */
const MAX_TOTAL_BYTES = 16 * 1024 * 1024;
/** Files that one configuration reads at once. */
const READS_AT_ONCE = 4;
/** Files of a commit that globs are compared with. */
const MAX_TREE = 50_000;
/** What a path takes in memory beside its own characters. */
const PATH_CHARACTERS = 16;

const describeHidden = (project: string) =>
  `Project \`${project}\` not found or access denied! Make sure any includes in the pipeline configuration are correctly defined.`;

type FileContent = Pick<SourceFile, 'text' | 'blob_id'>;
type ProjectRequest = Extract<FileRequest, { kind: 'project' }>;

/** Reads what configurations include, with the rights of one user; remembers the projects it looked up. */
export class IncludedFiles {
  readonly #projects = new Map<string, Promise<ProjectRecord | null>>();
  readonly #limiter = new Limiter({ capacity: READS_AT_ONCE });
  #bytesLeft = MAX_TOTAL_BYTES;

  /**
   * @param own the project of the pipeline, whose files its user was allowed to read before
   * @param sha its commit
   */
  constructor(
    private readonly ctx: Context,
    private readonly own: ProjectRecord,
    private readonly sha: string,
  ) {
    this.#projects.set(own.full_path.toLowerCase(), Promise.resolve(own));
  }

  /** The files that an include names, or the public API's text for why there are none. */
  async read(request: FileRequest): Promise<IncludeAnswer> {
    const answer = await this.#readAny(request);
    return this.#bytesLeft < 0 ? { error: 'The parsed YAML is too big' } : answer;
  }

  async #readAny(request: FileRequest): Promise<IncludeAnswer> {
    if (request.kind === 'remote') return this.#limiter.run(() => this.#readRemote(request.url));
    if (request.kind === 'project') return this.#readOfProject(request);
    const project = await this.#findReadable(request.from.project);
    if (!project) return { error: describeHidden(request.from.project) };
    return this.#readLocal(project, request.path, request.from);
  }

  /** All paths of a commit, for globs; null for more than are compared. @throws RuleSourceError */
  async listPaths(path: string, ref: string): Promise<string[] | null> {
    const project = await this.#findReadable(path);
    if (!project) throw rejectProject(path);
    // A project without a commit.
    if (ref === '') return [];
    // The commit of the pipeline needs no look-up.
    const sha = project === this.own && ref === this.sha ? ref : await loadCommitSha(this.ctx, project, ref);
    if (sha === null) throw rejectRef(ref, path);
    return listFiles(this.ctx, project, sha);
  }

  #findReadable(path: string): Promise<ProjectRecord | null> {
    const key = path.toLowerCase();
    const known = this.#projects.get(key);
    if (known) return known;
    const found = findVisibleProject(this.ctx, path).then((project) =>
      project && projectPolicy.read_code(this.ctx.caller, project) ? project : null,
    );
    this.#projects.set(key, found);
    return found;
  }

  /** What a remote file includes is read as nobody in particular. */
  async #readOfProject({ project: path, path: file, ref = 'HEAD', from }: ProjectRequest): Promise<IncludeAnswer> {
    const project = await this.#findReadable(path);
    if (!project || (from === null && !projectPolicy.read_code(ANONYMOUS, project)))
      return { error: describeHidden(path) };
    const sha = await loadCommitSha(this.ctx, project, ref);
    if (sha === null) return { error: `Project \`${path}\` reference \`${ref}\` does not exist!` };
    const content = await this.#readText(project, file, sha);
    if (content === null) return { error: `Project \`${path}\` file \`${file}\` does not exist!` };
    return { files: [this.#describe(project, file, content, { project: project.full_path, sha })] };
  }

  async #readLocal(project: ProjectRecord, path: string, from: FileOrigin): Promise<IncludeAnswer> {
    const content = await this.#readText(project, path, from.sha);
    if (content === null) return { error: `Local file \`${path}\` does not exist!` };
    return { files: [this.#describe(project, path, content, from)] };
  }

  #describe(project: ProjectRecord, path: string, content: FileContent, origin: FileOrigin) {
    const encoded = `${origin.sha}/${path}`.split('/').map(encodeURIComponent).join('/');
    const base = `${this.ctx.config.externalUrl}/${project.full_path}/-`;
    return { location: path, ...content, origin, blob: `${base}/blob/${encoded}`, raw: `${base}/raw/${encoded}` };
  }

  /** Null for what is no file; a file that is too large is cut, and refused when it is parsed. */
  async #readText(project: ProjectRecord, path: string, sha: string): Promise<FileContent | null> {
    if (!project.repository_created || sha === '') return null;
    return this.#limiter.run(async () => {
      if (this.#bytesLeft < 0) return { text: '' };
      const file = await readFileOnce(this.ctx, project, path, sha);
      if (!file) return null;
      this.#bytesLeft -= file.bytes;
      return { text: file.text, blob_id: file.blob_id };
    });
  }

  async #readRemote(url: string): Promise<IncludeAnswer> {
    if (this.#bytesLeft < 0) return { files: [] };
    const answer = await readRemote(this.ctx, url);
    if ('files' in answer) for (const { text } of answer.files) this.#bytesLeft -= Buffer.byteLength(text);
    return answer;
  }
}

/** The beginning of a file as it is refused when it is too large; null for what is none, as a link. */
function readFileOnce(ctx: Context, project: ProjectRecord, path: string, sha: string) {
  const read = async () => {
    const blob = await readBlob(openRepository(ctx, project), sha, path, MAX_FILE_BYTES + 1);
    if (!blob || blob.mode === '120000') return null;
    return { text: blob.content.toString('utf8'), blob_id: blob.blob_id, bytes: blob.content.length };
  };
  return commitReads(ctx).read(`file ${project.id} ${sha} ${path}`, read, ({ text }) => text.length);
}

async function listFiles(ctx: Context, project: ProjectRecord, sha: string): Promise<string[] | null> {
  if (!project.repository_created || sha === '') return [];
  const read = async () => {
    const tree = await readTree(openRepository(ctx, project), sha, MAX_TREE, { recursive: true });
    if (tree?.larger) return null;
    return (tree?.entries ?? []).filter(({ type }) => type === 'blob').map((entry) => entry.path);
  };
  const measure = (paths: string[]) => paths.reduce((sum, path) => sum + path.length + PATH_CHARACTERS, 0);
  return commitReads(ctx).read(`paths ${project.id} ${sha}`, read, measure);
}

async function readRemote(ctx: Context, url: string): Promise<IncludeAnswer> {
  const failed = (why: string) => ({ error: `Remote file \`${url}\` could not be fetched because of ${why}!` });
  if (!URL.canParse(url)) return { error: `Remote file \`${url}\` does not have a valid address!` };
  try {
    const limits = { timeoutMs: REMOTE_TIMEOUT_MS, maxBytes: MAX_REMOTE_BYTES };
    const text = await getOutbound(ctx, new URL(url), limits);
    return { files: [{ location: url, text, origin: null, raw: url }] };
  } catch (error) {
    if (error instanceof OutboundTimeout) return failed('a timeout error');
    if (error instanceof OutboundRejectedError)
      return { error: `Requested address of remote file \`${url}\` is blocked` };
    if (error instanceof OutboundResponseError && error.status !== undefined)
      return failed(`HTTP code \`${error.status}\` error`);
    if (error instanceof OutboundResponseError) return failed('its size');
    return failed('a connection error');
  }
}
