import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { uploadExport } from '../../../shared/archives/exports/send-to-url.js';
import { useApp } from '../../core/app.js';
import { exportSteps } from './export-steps.js';
import { readArchive } from './read-archive.js';

const app = useApp(test);
const { download } = exportSteps(app);

// Only the tests of addresses change the permitted requests; they run alone.
test.before('let tests ask as often as they like, and one local address', () =>
  app.set({
    project_export_limit: 0,
    project_download_export_limit: 0,
    outbound_local_requests_whitelist: ['127.0.0.1'],
  }),
);

interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** A server elsewhere. */
async function listening(
  t: ExecutionContext,
  answer: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) => response.end(),
) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('error', () => {});
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { method, url, headers } = request;
      received.push({ method, url, headers, body: Buffer.concat(pieces) });
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** An export whose archive is uploaded, and its status afterwards. */
async function sentTo(upload: Record<string, string>) {
  const project = await app.build.project({ empty: false });
  const as = app.as(project.owner);
  const answer = await as.post(`/projects/${project.id}/export`, { upload });
  await app.work();
  const { body } = await as.get(`/projects/${project.id}/export`);
  const { rows } = await app.services.db.pool.query<{ name: string; message: string; upload_url: unknown }>(
    `select a.event_name as name, a.message from audit_events a
      where a.entity_type = 'Project' and a.entity_id = $1 and a.event_name like 'project_export_upload%'`,
    [project.id],
  );
  return { answer, project, status: body, audit: rows };
}

// Contract: archives-7.upload
test.serial(
  'a finished archive is sent to the URL of the request [unverified: it stays to be downloaded as well]',
  async (t) => {
    const { url, received } = await listening(t);
    const put = await sentTo({ url: `${url}/bucket/export.tar.gz?signature=abc` });
    t.is(put.answer.status, 202);
    t.like(put.status, { export_status: 'finished', upload_status: 'sent', upload_error: null });
    t.like(received[0], { method: 'PUT', url: '/bucket/export.tar.gz?signature=abc' });
    const { bytes } = await download(put.project.owner, put.project.id, {}, 'projects');
    t.deepEqual(received[0]?.body, bytes);
    t.like(received[0]?.headers, { 'content-type': 'application/gzip', 'content-length': String(bytes.length) });
    t.is((await readArchive(received[0]?.body as Buffer))[0]?.text, '0.2.4');
    t.like(put.audit[0], { name: 'project_export_uploaded' });
    t.false(JSON.stringify([put.audit, put.status]).includes('signature'), 'what is in the URL is told to nobody');
    const post = await sentTo({ url: `${url}/x`, http_method: 'POST' });
    t.is(post.status.upload_status, 'sent');
    t.is(received[1]?.method, 'POST');
  },
);

test.serial('a server that refuses, sends on or breaks off is told, and the archive can be downloaded', async (t) => {
  const refusing = await listening(t, (_request, response) => response.writeHead(403).end('secret words'));
  const rejection = await sentTo({ url: refusing.url });
  t.like(rejection.status, {
    export_status: 'finished',
    upload_status: 'failed',
    upload_error: 'The server answered with status 403.',
  });
  t.like(rejection.audit[0], { name: 'project_export_upload_failed' });
  t.is((await download(rejection.project.owner, rejection.project.id, {}, 'projects')).status, 200);
  const sending = await listening(t, (_request, response) =>
    response.writeHead(307, { Location: `${refusing.url}/elsewhere` }).end(),
  );
  t.is((await sentTo({ url: sending.url })).status.upload_error, 'The server answered with status 307.');
  t.is(refusing.received.length, 1);
  const breaking = await listening(t, (request) => request.socket.destroy());
  t.regex((await sentTo({ url: breaking.url })).status.upload_error, /broke the connection off/);
});

test.serial('an address that may not be asked is refused at once, and again when it is time', async (t) => {
  const { url, received } = await listening(t);
  const project = await app.build.project({ empty: false });
  const as = app.as(project.owner);
  const sendInvalid = async (upload: Record<string, string>) => {
    const { status, body } = await as.post(`/projects/${project.id}/export`, { upload });
    t.is(status, 400);
    return JSON.stringify(body);
  };
  t.is(
    await sendInvalid({ url: 'http://127.0.0.2/x' }),
    '{"message":{"url":["is blocked: Requests to localhost are not allowed"]}}',
  );
  t.regex(await sendInvalid({ url: 'git://a.test/x' }), /Only allowed schemes are http, https/);
  t.regex(await sendInvalid({ url: 'http://a.test:22/x' }), /Only allowed ports/);
  t.regex(await sendInvalid({ url, http_method: 'DELETE' }), /http_method/);
  await as.post(`/projects/${project.id}/export`, { upload: { url } });
  await app.set({ outbound_local_requests_whitelist: [] });
  await app.work();
  await app.set({ outbound_local_requests_whitelist: ['127.0.0.1'] });
  t.like((await as.get(`/projects/${project.id}/export`)).body, {
    export_status: 'finished',
    upload_status: 'failed',
    upload_error: 'The URL is blocked: Requests to localhost are not allowed',
  });
  t.is(received.length, 0);
});

test.serial('an archive is sent once, and to nobody for a user who may not export any more', async (t) => {
  const { url, received } = await listening(t);
  const { project } = await sentTo({ url });
  const { rows } = await app.services.db.pool.query(
    'select id, upload_url from archive_exports where project_id = $1',
    [project.id],
  );
  t.is(rows[0].upload_url, null, 'the URL is forgotten');
  await uploadExport(app.context(), Number(rows[0].id));
  t.is(received.length, 1);
});
