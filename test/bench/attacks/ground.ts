import type { Child } from '../child.js';
import type { BenchSite } from '../bench-site.js';
import { repositoryPath, updateRefs } from '../../../shared/git/index.js';

export interface NewProject {
  id: number;
  /** With the namespaces above it. */
  full_path: string;
  /** Where its bare repository lies. */
  repository: string;
}

/** Users of the dataset who attack; 1001 is the user of the other measured requests. */
export const ATTACKER = 1002;
const ADMINISTRATOR_TOKEN = 'a-token-of-the-administrator';

/** The environment in which attacks are prepared: the measured site, and an API that runs there. */
export class Ground {
  readonly #tokens = new Map<number, string>();
  #projectCount = 0;

  constructor(
    readonly site: BenchSite,
    readonly api: Child,
    readonly worker: Child | null,
  ) {}

  /** Calls the API. @throws unless the response is successful */
  async call<T>(method: string, path: string, token: string, body?: object): Promise<T> {
    const response = await fetch(`${this.api.url}/api/v4${path}`, {
      method,
      headers: { 'private-token': token, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }).catch((error: Error) => {
      throw new Error(`${method} ${path} is not answered: ${String(error.cause)}`, { cause: error });
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${text.slice(0, 200)}`);
    return (text === '' ? null : JSON.parse(text)) as T;
  }

  /** As the administrator. */
  asAdministrator<T>(method: string, path: string, body?: object): Promise<T> {
    return this.call(method, path, ADMINISTRATOR_TOKEN, body);
  }

  /** A token of one of the dataset's users. */
  async tokenOf(userId: number): Promise<string> {
    const ownToken = this.#tokens.get(userId);
    if (ownToken !== undefined) return ownToken;
    const token = `a-token-of-user-${userId}-for-attacks-${process.hrtime.bigint()}`;
    await this.site.db.query(
      `insert into personal_access_tokens (user_id, name, digest, scopes, created_at, updated_at)
       values ($1, 'attacks', $2, '{api}', now(), now())`,
      [userId, this.site.keys.digest(token)],
    );
    this.#tokens.set(userId, token);
    return token;
  }

  /** A public project with a README in its repository, in the user's own namespace. */
  async newProject(userId: number): Promise<NewProject> {
    const name = `ground-${process.hrtime.bigint()}-${(this.#projectCount += 1)}`;
    const project = await this.call<{ id: number; path_with_namespace: string }>(
      'POST',
      '/projects',
      await this.tokenOf(userId),
      { name, visibility: 'public', initialize_with_readme: true },
    );
    const root = `${this.site.config.dataDir}/repositories`;
    return { id: project.id, full_path: project.path_with_namespace, repository: repositoryPath(root, project.id) };
  }

  /** Lets branches point at commits, in git and in the index. */
  async publish(project: NewProject, branches: readonly { name: string; sha: string }[]): Promise<void> {
    await updateRefs(
      project.repository,
      branches.map(({ name, sha }) => ({ ref: `refs/heads/${name}`, new: sha })),
    );
    await this.site.db.query(
      `insert into repository_refs (project_id, kind, full_name, name, object_sha, target_sha, created_at, updated_at)
       select $1, 'branch', 'refs/heads/' || u.name, u.name, u.sha, u.sha, now(), now()
         from unnest($2::text[], $3::text[]) as u (name, sha)
       on conflict (project_id, full_name) do update
         set object_sha = excluded.object_sha, target_sha = excluded.target_sha`,
      [project.id, branches.map(({ name }) => name), branches.map(({ sha }) => sha)],
    );
  }
}
