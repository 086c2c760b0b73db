import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { ExecutionContext } from 'ava';
import { gitEnvironment } from '../../../shared/git/index.js';
import { sql } from 'kysely';
import { importFromUrl } from '../../../shared/repositories/project-imports/import-from-url.js';
import { updateMirror } from '../../../shared/repositories/project-mirrors/update-mirror.js';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import type { TestApp } from '../app.js';
import type { BuiltUser } from '../builders.js';
import { unique } from '../builders.js';
import { commitOn, emptyRepository, file } from '../../git/git-fixture.js';
import { serveGit, webServer } from '../../git/git-remote.js';
import type { Renamed } from '../../git/git-remote.js';
import { through } from './rule.js';
import { queryOne } from '../query-one.js';

/**
 * Local addresses that the service may access, other than its own: one of other servers, and one where no server
 * listens.
 */
export const ADDRESSES_LET_IN = { servers: '127.0.0.78', silent: '127.0.0.77' };

const git = (repository: string, ...args: string[]) =>
  execFileSync('git', ['-C', repository, ...args], { env: gitEnvironment() })
    .toString()
    .trim();

/** A repository on another server, with one branch or tag at a time. */
export class Elsewhere {
  #repository = '';
  #renamed: Renamed | undefined;
  #server = '';

  private constructor(private readonly app: TestApp) {}

  static async open(app: TestApp, t: ExecutionContext): Promise<Elsewhere> {
    const elsewhere = new Elsewhere(app);
    elsewhere.#repository = await emptyRepository(t);
    elsewhere.#server = await webServer(
      t,
      (request, response) => serveGit(elsewhere.#repository, request, response, elsewhere.#renamed),
      ADDRESSES_LET_IN.servers,
    );
    return elsewhere;
  }

  /** A new URL each time: the user who sets it becomes responsible for the mirror. */
  get url(): string {
    return `${this.#server}/${unique()}.git`;
  }

  /**
   * Has one branch or tag, one commit further than a project's where that has it too.
   * @param fullName any text below `refs/heads/` or `refs/tags/`
   * @returns the commit
   */
  async holds(fullName: string, project?: { id: number }): Promise<string> {
    const [, kind = '', name = ''] = /^refs\/(heads|tags)\/([^]+)$/.exec(fullName) ?? [];
    // In parts, since a file name may not be as long as the tested name.
    const refName = 'p'.repeat(Buffer.byteLength(name)).replace(/(p{100})p(?=p)/g, '$1/');
    for (const ref of git(this.#repository, 'for-each-ref', '--format=%(refname)').split('\n'))
      if (ref !== '') git(this.#repository, 'update-ref', '-d', ref);
    const head = project ? await this.#headOf(project, fullName) : null;
    const sha = await commitOn(this.#repository, head, [file(`file-${unique()}.txt`)], { branch: 'draft' });
    git(this.#repository, 'update-ref', '-d', 'refs/heads/draft');
    git(this.#repository, 'update-ref', `refs/${kind}/${refName}`, sha);
    this.#renamed = { storedName: `refs/${kind}/${refName}`, advertisedName: fullName };
    return sha;
  }

  /** The commit of a project's ref, fetched to this repository; null if it does not exist. */
  async #headOf(project: { id: number }, fullName: string): Promise<string | null> {
    const found = await queryOne<{ sha: string }>(
      this.app.context(),
      sql`
      select r.target_sha as "sha" from repository_refs r
       where r.project_id = ${project.id} and r.full_name = ${fullName}`,
    );
    const location = getRepositoryPath(this.app.context(), project);
    if (!found || !existsSync(location)) return null;
    git(this.#repository, 'fetch', '--quiet', '--no-write-fetch-head', location, found.sha);
    return found.sha;
  }
}

/** Whether a project has a branch or tag of this full name, at this commit. */
export async function has(app: TestApp, project: { id: number }, fullName: string, sha: string): Promise<boolean> {
  const found = await queryOne(
    app.context(),
    sql`
    select 1 as "found" from repository_refs r
     where r.project_id = ${project.id} and r.full_name = ${fullName} and r.target_sha = ${sha}`,
  );
  return found !== null;
}

/** Updates a mirror now. Refs that it does not update must be reported. @returns the error, or null */
export async function updateNow(app: TestApp, project: { id: number }): Promise<string | null> {
  const ctx = app.context();
  await ctx.query(sql`update project_mirrors set update_status = 'scheduled' where project_id = ${project.id}`);
  await updateMirror(ctx, project.id);
  const mirror = await queryOne<{ last_error: string | null }>(
    ctx,
    sql`
    select m.last_error as "last_error" from project_mirrors m where m.project_id = ${project.id}`,
  );
  return mirror?.last_error ?? null;
}

interface Brought {
  app: TestApp;
  elsewhere: Elsewhere;
  project: { id: number; owner: BuiltUser };
}

/**
 * Updates a branch or tag by a mirror.
 * @param user the user who requests the update or, with `byWorker`, is responsible for a mirror that the Owner
 * requested
 * @returns the commit, or null if it was not updated
 */
export async function mirrors(
  { app, elsewhere, project }: Brought,
  user: BuiltUser,
  fullName: string,
  { byWorker = false, ...settings }: { byWorker?: boolean; mirror_trigger_builds?: boolean } = {},
): Promise<string | null> {
  const sha = await elsewhere.holds(fullName, project);
  const path = `/projects/${project.id}`;
  const attributes = { import_url: elsewhere.url, mirror: true, ...settings };
  if (!through(await app.as(byWorker ? project.owner : user).put(path, attributes))) return null;
  if (byWorker)
    await app.context().query(sql`
      update project_settings set mirror_user_id = ${user.id} where project_id = ${project.id}`);
  const reason = await updateNow(app, project);
  const came = await has(app, project, fullName, sha);
  if (!came && reason === null) throw new Error(`${fullName} did not come, and nothing says why.`);
  await app.as(project.owner).put(path, { mirror: false });
  return came ? sha : null;
}

/** Has a new project import a branch from elsewhere. @returns whether it came */
export async function imports(
  { app, elsewhere }: Pick<Brought, 'app' | 'elsewhere'>,
  user: BuiltUser,
  fullName: string,
): Promise<boolean> {
  const sha = await elsewhere.holds(fullName);
  const attributes = { name: `From elsewhere ${unique()}`, import_url: elsewhere.url };
  const { body } = await app.as(user).post('/projects', attributes);
  await importFromUrl(app.context(), body.id, null);
  const { import_status: status, import_error: error } = (await app.as(user).get(`/projects/${body.id}`)).body;
  if (status !== 'finished') throw new Error(`${fullName}: ${status} ${error}`);
  return has(app, body, fullName, sha);
}
