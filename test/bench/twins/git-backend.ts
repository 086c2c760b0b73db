import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/*
 * `git http-backend` behind the least server that can run it: what git itself offers for serving repositories. Those
 * below GIT_PROJECT_ROOT are served to everybody.
 */

/** The environment variables of a CGI program (RFC 3875), as far as git reads them. */
function getVariables(request: IncomingMessage): NodeJS.ProcessEnv {
  const url = new URL(request.url ?? '/', 'http://twin');
  const { 'content-type': type, 'content-encoding': coding, 'git-protocol': protocol } = request.headers;
  return {
    PATH: process.env.PATH,
    GIT_PROJECT_ROOT: process.env.GIT_PROJECT_ROOT,
    GIT_HTTP_EXPORT_ALL: '1',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: '*',
    REQUEST_METHOD: request.method,
    PATH_INFO: decodeURIComponent(url.pathname),
    QUERY_STRING: url.search.slice(1),
    CONTENT_TYPE: type,
    HTTP_CONTENT_ENCODING: coding,
    GIT_PROTOCOL: protocol as string | undefined,
  };
}

/** Takes the head that a CGI program prints off its output, and passes on the rest. */
function answer(response: ServerResponse, output: NodeJS.ReadableStream): void {
  let head = Buffer.alloc(0);
  const read = (piece: Buffer) => {
    head = Buffer.concat([head, piece]);
    const end = head.indexOf('\r\n\r\n');
    if (end === -1) return;
    output.off('data', read);
    for (const line of head.subarray(0, end).toString().split('\r\n')) {
      const [name = '', value = ''] = line.split(': ');
      if (name === 'Status') response.statusCode = Number.parseInt(value, 10);
      else response.setHeader(name, value);
    }
    response.write(head.subarray(end + 4));
    output.pipe(response);
  };
  output.on('data', read);
}

const server = createServer((request, response) => {
  const child = spawn('git', ['http-backend'], { env: getVariables(request), stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.on('error', () => undefined);
  request.pipe(child.stdin);
  answer(response, child.stdout);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ type: 'ready', url: `http://127.0.0.1:${port}` });
});
