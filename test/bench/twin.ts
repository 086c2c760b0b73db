import { createSecretKey, hash, hkdfSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { allSchedules } from './twins/all-schedules.js';
import { branchList } from './twins/branch-list.js';
import { deploymentList, deploymentRead, doraMetrics, environmentList, newDeployment } from './twins/deployments.js';
import { deployTokenList, newDeployToken } from './twins/deploy-tokens.js';
import { groupIssues, issueLinks, issueList, issueRead, newIssue } from './twins/issues.js';
import { groupMergeRequests, mergeRequestList, mergeRequestRead } from './twins/merge-requests.js';
import { packageList } from './twins/package-list.js';
import { discussionList, newNote, noteList } from './twins/notes.js';
import { epicList, epicRead, snippetList } from './twins/themes.js';
import { projectList } from './twins/project-list.js';
import { projectRead } from './twins/project-json.js';
import { simpleProjectList } from './twins/simple-project-list.js';
import { scheduleList } from './twins/schedule-list.js';
import { scheduleRead } from './twins/schedule-read.js';
import { userList } from './twins/user-list.js';
import { TwinDatabase } from './twins/twin-database.js';
import type { Answer } from './twins/twin-database.js';

/**
 * The smallest program that could answer the measured requests as the service does: node:http, as many connections, one
 * named prepared statement for the token and as few as possible for the rest, the same bytes and headers.
 */
const env = process.env as Record<'DATABASE_URL' | 'SECRET_KEY_BASE' | 'EXTERNAL_URL' | 'DATA_DIR', string>;
const key = (purpose: string) =>
  createSecretKey(Buffer.from(hkdfSync('sha256', env.SECRET_KEY_BASE, 'capstan', purpose, 32)));
const db = new TwinDatabase(
  env.DATABASE_URL,
  env.EXTERNAL_URL,
  key('column encryption'),
  key('token digests'),
  path.join(env.DATA_DIR, 'repositories'),
);

const ROUTES: [RegExp, (db: TwinDatabase, userId: number, match: RegExpExecArray) => Promise<Answer | null>][] = [
  [/^\/api\/v4\/projects\/(\d+)$/, projectRead],
  [/^\/api\/v4\/projects\?per_page=(\d+)$/, projectList],
  [/^\/api\/v4\/users\?((?:search=(\w+)&)?per_page=(\d+))$/, userList],
  [/^\/api\/v4\/pipeline_schedules(?:\?(.+))?$/, allSchedules],
  [/^\/api\/v4\/projects\/(\d+)\/repository\/branches\?per_page=(\d+)$/, branchList],
  [/^\/api\/v4\/projects\/(\d+)\/deploy_tokens$/, deployTokenList],
  [/^\/api\/v4\/projects\/(\d+)\/issues\?labels=([^&]+)&state=opened&order_by=updated_at$/, issueList],
  [/^\/api\/v4\/projects\/(\d+)\/issues\/(\d+)$/, issueRead],
  [/^\/api\/v4\/projects\/(\d+)\/issues\/(\d+)\/links$/, issueLinks],
  [/^\/api\/v4\/groups\/(\d+)\/issues$/, groupIssues],
  [/^\/api\/v4\/projects\/(\d+)\/merge_requests\?state=opened$/, mergeRequestList],
  [/^\/api\/v4\/projects\/(\d+)\/merge_requests\/(\d+)$/, mergeRequestRead],
  [/^\/api\/v4\/groups\/(\d+)\/merge_requests$/, groupMergeRequests],
  [/^\/api\/v4\/projects\/(\d+)\/dora\/metrics\?metric=(\w+)&start_date=([\d-]+)&end_date=([\d-]+)$/, doraMetrics],
  [/^\/api\/v4\/projects\/(\d+)\/environments$/, environmentList],
  [/^\/api\/v4\/projects\/(\d+)\/deployments$/, deploymentList],
  [/^\/api\/v4\/projects\/(\d+)\/deployments\/(\d+)$/, deploymentRead],
  [/^\/api\/v4\/projects\/(\d+)\/packages$/, packageList],
  [/^\/api\/v4\/projects\/(\d+)\/issues\/(\d+)\/discussions$/, discussionList],
  [/^\/api\/v4\/projects\/(\d+)\/issues\/(\d+)\/notes$/, noteList],
  [/^\/api\/v4\/groups\/(\d+)\/epics$/, epicList],
  [/^\/api\/v4\/groups\/(\d+)\/epics\/(\d+)$/, epicRead],
  [/^\/api\/v4\/projects\/(\d+)\/snippets$/, snippetList],
  [/^\/api\/v4\/projects\/(\d+)\/pipeline_schedules$/, scheduleList],
  [/^\/api\/v4\/projects\/(\d+)\/pipeline_schedules\/(\d+)$/, scheduleRead],
];

/** Lists with simple records, which anonymous callers get in any case. */
const SIMPLE_LIST = /^\/api\/v4\/projects\?(simple=true.*)$/;

/** The routes for POST requests. */
const POSTS: [
  RegExp,
  (db: TwinDatabase, userId: number, match: RegExpExecArray, body: string) => Promise<Answer | null>,
][] = [
  [/^\/api\/v4\/projects\/(\d+)\/deploy_tokens$/, newDeployToken],
  [/^\/api\/v4\/projects\/(\d+)\/issues$/, newIssue],
  [/^\/api\/v4\/projects\/(\d+)\/deployments$/, newDeployment],
  [/^\/api\/v4\/projects\/(\d+)\/issues\/(\d+)\/notes$/, newNote],
];

async function getText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

async function answer(request: IncomingMessage): Promise<Answer | null> {
  const token = request.headers['private-token'];
  const list = SIMPLE_LIST.exec(request.url ?? '');
  if (typeof token !== 'string') return list ? simpleProjectList(db, null, list) : null;
  const userId = await db.userOf(db.digest(token));
  if (userId === null) return null;
  if (list) return simpleProjectList(db, userId, list);
  if (request.method === 'POST') {
    for (const [pattern, respond] of POSTS) {
      const match = pattern.exec(request.url ?? '');
      if (match) return respond(db, userId, match, await getText(request));
    }
    return null;
  }
  for (const [pattern, respond] of ROUTES) {
    const match = pattern.exec(request.url ?? '');
    if (match) return respond(db, userId, match);
  }
  return null;
}

async function serve(request: IncomingMessage, response: ServerResponse) {
  const started = performance.now();
  const found = await answer(request);
  if (!found) {
    response.writeHead(404).end();
    return;
  }
  const requestId = randomUUID();
  const meta = JSON.stringify({ correlation_id: requestId, version: '1' });
  response.writeHead(found.status ?? 200, {
    'X-Request-Id': requestId,
    'X-Service-Meta': meta,
    'X-Gitlab-Meta': meta,
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'SAMEORIGIN',
    Vary: 'Origin, Accept-Encoding',
    ...found.headers,
    ...(found.status === 201
      ? { 'Cache-Control': 'no-cache' }
      : {
          ETag: `W/"${hash('sha1', found.body, 'base64url')}"`,
          'Cache-Control': 'max-age=0, private, must-revalidate',
        }),
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(found.body),
    'X-Runtime': ((performance.now() - started) / 1000).toFixed(6),
  });
  response.end(found.body);
}

const server = createServer((request, response) => {
  serve(request, response).catch((error: unknown) => {
    // A client that posts may leave in the middle, when its time is up.
    if (request.destroyed && !request.complete) return;
    process.stderr.write(`${String(error)}\n`);
    response.writeHead(500).end();
  });
});
server.keepAliveTimeout = 75_000;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ type: 'ready', url: `http://127.0.0.1:${port}` });
});
process.on('SIGTERM', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
