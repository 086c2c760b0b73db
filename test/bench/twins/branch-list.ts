import { spawn } from 'node:child_process';
import { gitEnvironment, repositoryPath } from '../../../shared/git/index.js';
import { pageHeaders } from './page-headers.js';
import { ACCESS } from './twin-database.js';
import type { Answer, TwinDatabase } from './twin-database.js';

interface BranchRow {
  full_path: string;
  access: number;
  default_branch: string;
  head: string;
  total: number;
  name: string;
  target_sha: string;
  protected: boolean;
}

const PAGE = `
  with project as (
    select p.id, p.default_branch, r.path as full_path, ${ACCESS} as access,
           (select d.target_sha from repository_refs d
             where d.project_id = p.id and d.full_name = 'refs/heads/' || p.default_branch) as head,
           (select count(*)::int from (select 1 from repository_refs c
             where c.project_id = p.id and c.kind = 'branch' limit 10001) counted) as total
      from projects p join namespaces n on n.id = p.namespace_id join routes r on r.project_id = p.id where p.id = $2)
  select project.*, b.name, b.target_sha,
         exists (select 1 from protected_branches l where l.project_id = project.id and b.name like l.name_pattern) as protected
    from project join repository_refs b on b.project_id = project.id and b.kind = 'branch'
   order by b.name limit $3`;

const FIELDS = ['%H', '%P', '%an', '%ae', '%aI', '%cn', '%ce', '%cI', '%B', '%(trailers:only=true,unfold=true)'];
const LOG = ['log', '--no-walk=unsorted', '--stdin', '-z', '--no-mailmap', `--format=tformat:${FIELDS.join('%x00')}`];

/** What git writes. */
function git(repository: string, args: readonly string[], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', [`--git-dir=${repository}`, ...args], { env: gitEnvironment() });
    const parts: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => parts.push(part));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve(Buffer.concat(parts).toString()) : reject(new Error(`git ended with ${String(code)}.`)),
    );
    // One that reads nothing may have ended by now.
    child.stdin.on('error', () => undefined).end(input);
  });
}

/** With the offset in digits, as the API writes it. */
const withOffset = (date: string) => date.replace(/Z$/, '+00:00');

function commitsIn(text: string, webUrl: string): Map<string, unknown> {
  const values = text.split('\0');
  const commits = new Map<string, unknown>();
  for (let at = 0; at + FIELDS.length <= values.length; at += FIELDS.length) {
    const [sha, parents, author, authorEmail, authored, committer, committerEmail, committed, message] = values.slice(
      at,
      at + FIELDS.length,
    ) as [string, string, string, string, string, string, string, string, string];
    commits.set(sha, {
      id: sha,
      short_id: sha.slice(0, 8),
      created_at: withOffset(committed),
      parent_ids: parents === '' ? [] : parents.split(' '),
      title: message.split('\n', 1)[0],
      message,
      author_name: author,
      author_email: authorEmail,
      authored_date: withOffset(authored),
      committer_name: committer,
      committer_email: committerEmail,
      committed_date: withOffset(committed),
      trailers: {},
      extended_trailers: {},
      web_url: `${webUrl}/-/commit/${sha}`,
    });
  }
  return commits;
}

/** The first page of `GET /projects/:id/repository/branches`, none of it protected: one statement, two processes of git. */
export async function branchList(db: TwinDatabase, userId: number, match: RegExpExecArray): Promise<Answer | null> {
  const [projectId, perPage] = [Number(match[1]), Number(match[2])];
  const found = await db.rows<BranchRow>('branches', PAGE, [userId, projectId, perPage + 1]);
  const rows = found.slice(0, perPage);
  const [first] = rows;
  if (!first || first.access < 20) return null;
  if (rows.some((row) => row.protected)) throw new Error('The twin knows branches without protection only.');
  const repository = repositoryPath(db.repositories, projectId);
  const names = rows.map(({ name }) => `refs/heads/${name}`);
  const [log, into] = await Promise.all([
    git(repository, LOG, `${[...new Set(rows.map((row) => row.target_sha))].join('\n')}\n`),
    git(repository, ['for-each-ref', `--merged=${first.head}`, '--format=%(refname)', '--', ...names]),
  ]);
  const webUrl = `${db.externalUrl}/${first.full_path}`;
  const commits = commitsIn(log, webUrl);
  const merged = new Set(into.split('\n'));
  const body = rows.map(({ name, target_sha: sha, default_branch: main }) => ({
    name,
    commit: commits.get(sha),
    merged: name !== main && merged.has(`refs/heads/${name}`),
    protected: false,
    developers_can_push: false,
    developers_can_merge: false,
    can_push: first.access >= 30,
    default: name === main,
    web_url: `${webUrl}/-/tree/${name}`,
  }));
  return {
    body: JSON.stringify(body),
    headers: pageHeaders(
      `${db.externalUrl}/api/v4/projects/${projectId}/repository/branches`,
      `per_page=${perPage}&page=#`,
      perPage,
      first.total,
    ),
  };
}
