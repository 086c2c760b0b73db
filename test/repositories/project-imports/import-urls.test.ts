import test from 'ava';
import { useApp } from '../../core/app.js';
import { unique } from '../../core/builders.js';
import { remoteRepository, serveGit, webServer } from '../../git/git-remote.js';

// Settings are what these tests change: one after the other.
const app = useApp(test);

const BLOCKED: [url: string, reason: string][] = [
  ['file:///etc/passwd', 'Only allowed schemes are http, https, git'],
  ['ssh://git@example.com/a.git', 'Only allowed schemes are http, https, git'],
  ['git@example.com:a.git', 'URI is invalid'],
  ['/srv/git/a.git', 'URI is invalid'],
  ['ext::sh -c id', 'URI is invalid'],
  ['http://exam ple.com/a.git', 'URI is invalid'],
  ['http://example.com/a\n.git', 'URI is invalid'],
  ['http://example.com:25/a.git', 'Only allowed ports are 80, 443, and any over 1024'],
  ['http://-u@example.com/a.git', 'Username needs to start with an alphanumeric character'],
  ['http://localhost/a.git', 'Requests to localhost are not allowed'],
  ['http://LOCALHOST./a.git', 'Requests to localhost are not allowed'],
  ['http://127.0.0.1/a.git', 'Requests to localhost are not allowed'],
  ['http://127.1:8080/a.git', 'Requests to localhost are not allowed'],
  ['http://2130706433/a.git', 'Requests to localhost are not allowed'],
  ['http://0x7f.0.0.1/a.git', 'Requests to localhost are not allowed'],
  ['http://0.0.0.0/a.git', 'Requests to localhost are not allowed'],
  ['http://[::1]/a.git', 'Requests to localhost are not allowed'],
  ['http://[::]/a.git', 'Requests to localhost are not allowed'],
  ['http://[::ffff:127.0.0.1]/a.git', 'Requests to localhost are not allowed'],
  ['http://169.254.169.254/latest', 'Requests to the link local network are not allowed'],
  ['http://[fe80::1]/a.git', 'Requests to the link local network are not allowed'],
  ['http://10.1.2.3/a.git', 'Requests to the local network are not allowed'],
  ['https://172.16.0.1/a.git', 'Requests to the local network are not allowed'],
  ['https://192.168.0.1/a.git', 'Requests to the local network are not allowed'],
  ['https://100.64.0.1/a.git', 'Requests to the local network are not allowed'],
  ['git://[fd00::1]/a.git', 'Requests to the local network are not allowed'],
  // IPv6 addresses that represent IPv4 ones: compatible, translated, NAT64, 6to4, Teredo (client, server), ISATAP.
  ['http://[::7f00:1]/a.git', 'Requests to localhost are not allowed'],
  ['http://[::127.0.0.1]/a.git', 'Requests to localhost are not allowed'],
  ['git://[::127.0.0.1]/a.git', 'Requests to localhost are not allowed'],
  ['http://[::a9fe:a9fe]/latest', 'Requests to the link local network are not allowed'],
  ['http://[::2]/a.git', 'Requests to localhost are not allowed'],
  ['http://[::ffff:10.0.0.1]/a.git', 'Requests to the local network are not allowed'],
  ['http://[::ffff:0:127.0.0.1]/a.git', 'Requests to localhost are not allowed'],
  ['http://[64:ff9b::7f00:1]/a.git', 'Requests to localhost are not allowed'],
  ['http://[64:ff9b::192.168.1.1]/a.git', 'Requests to the local network are not allowed'],
  ['http://[64:ff9b:1::808:808]/a.git', 'Requests to the local network are not allowed'],
  ['http://[2002:7f00:1::1]/a.git', 'Requests to localhost are not allowed'],
  ['http://[2002:a00:1:1:2:3:4:5]/a.git', 'Requests to the local network are not allowed'],
  ['http://[2001:0:808:808:0:0:80ff:fffe]/a.git', 'Requests to localhost are not allowed'],
  ['http://[2001:0:a00:1:0:0:f7f7:f7f7]/a.git', 'Requests to the local network are not allowed'],
  ['http://[2606:4700::5efe:127.0.0.1]/a.git', 'Requests to localhost are not allowed'],
  ['http://[2606:4700::200:5efe:a00:1]/a.git', 'Requests to the local network are not allowed'],
  ['http://[fe80::5efe:8.8.8.8]/a.git', 'Requests to the link local network are not allowed'],
  // Unassigned, for documentation, and site-local.
  ['http://[4000::1]/a.git', 'Requests to the local network are not allowed'],
  ['http://[1234::1]/a.git', 'Requests to the local network are not allowed'],
  ['http://[2001:db8::1]/a.git', 'Requests to the local network are not allowed'],
  ['http://[fec0::1]/a.git', 'Requests to the local network are not allowed'],
];

// Contract: core-5.import_url.rules
test.serial('a URL that may not be asked is 400 with the reason, and nothing is created', async (t) => {
  const user = await app.build.user();
  for (const [import_url, reason] of BLOCKED) {
    const { status, body } = await app.as(user).post('/projects', { name: `Blocked ${unique()}`, import_url });
    t.is(status, 400, import_url);
    t.deepEqual(body, { message: { import_url: [`is blocked: ${reason}`] } }, import_url);
  }
  const long = await app.as(user).post('/projects', { name: 'Long', import_url: `http://a.com/${'a'.repeat(2100)}` });
  t.deepEqual(long.body, { message: { import_url: ['is too long (maximum is 2048 characters)'] } });
  t.deepEqual((await app.as(user).get('/projects?owned=true')).body, []);
});

test.serial('an import_url that says nothing imports nothing', async (t) => {
  const user = await app.build.user();
  for (const import_url of ['', null]) {
    const { status, body } = await app.as(user).post('/projects', { name: `None ${unique()}`, import_url });
    t.is(status, 201);
    t.like(body, { import_status: 'none', import_type: null, import_url: null });
  }
});

test.serial('what a project is mirrored from may be no other URL than what one is imported from', async (t) => {
  const project = await app.build.project();
  for (const [import_url, reason] of BLOCKED) {
    const { status, body } = await app.as(project.owner).put(`/projects/${project.id}`, { import_url });
    t.is(status, 400, import_url);
    t.deepEqual(body, { message: { import_url: [`is blocked: ${reason}`] } }, import_url);
  }
});

// Contract: core-5.import_url.rules
test.serial('administrators let single hosts and networks be asked, and only those', async (t) => {
  const repository = await remoteRepository(t);
  const headers: (string | undefined)[] = [];
  const url: string = await webServer(t, (request, response) => {
    headers.push(request.headers.host);
    if (request.url?.startsWith('/away'))
      response.writeHead(302, { Location: `${url.replace('127.0.0.1', '127.0.0.2')}${request.url.slice(5)}` }).end();
    else serveGit(repository, request, response);
  });
  const user = await app.build.user();
  const status = async (import_url: string) => {
    const { body } = await app.as(user).post('/projects', { name: `Listed ${unique()}`, import_url });
    await app.work();
    return (await app.as(user).get(`/projects/${body.id}`)).body;
  };
  for (const entry of ['127.0.0.1', '127.0.0.0/31', '::ffff:127.0.0.1']) {
    await app.set({ outbound_local_requests_whitelist: [entry] });
    t.is((await status(url)).import_status, 'finished', entry);
  }
  // A redirect leads to no address that is not allowed itself.
  const away = await status(`${url}/away`);
  t.is(away.import_status, 'failed');
  t.false(headers.some((host) => host?.startsWith('127.0.0.2')));
  await app.set({ outbound_local_requests_whitelist: ['localhost'] });
  t.is((await status(url.replace('127.0.0.1', 'localhost'))).import_status, 'finished');
  const other = await app.as(user).post('/projects', { name: `Other ${unique()}`, import_url: url });
  t.is(other.status, 400);
});

// Contract: core-5.import_url.rules
test.serial('a rule that came while an import waited holds for it', async (t) => {
  const repository = await remoteRepository(t);
  let count = 0;
  const url = await webServer(t, (request, response) => {
    count += 1;
    serveGit(repository, request, response);
  });
  const user = await app.build.user();
  await app.set({ outbound_local_requests_whitelist: ['127.0.0.1'] });
  const { body } = await app.as(user).post('/projects', { name: `Waits ${unique()}`, import_url: url });
  await app.set({ outbound_local_requests_whitelist: [] });
  await app.work();
  t.like((await app.as(user).get(`/projects/${body.id}`)).body, {
    import_status: 'failed',
    import_error: 'The import URL is blocked: Requests to localhost are not allowed',
  });
  t.is(count, 0);
});
