import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { Child, highestWhile, getMemory } from './child.js';
import { report } from './goal.js';
import type { Bench, Goal } from './goal.js';
import type { BenchSite } from './bench-site.js';
import { median, withSpread } from './statistics.js';

const MIB = 1024 * 1024;
/** Of the file that is sent and fetched; `CAPSTAN_BENCH_MIB` makes it smaller. */
const FILE_MIB = Number(process.env.CAPSTAN_BENCH_MIB ?? 1024);
const ROUNDS = 3;
const AT_ONCE = 10;
/** Each of ten at once is a part of the file: memory does not depend on how long they take. */
const PART_MIB = Math.max(1, Math.round(FILE_MIB / 8));
const SHARE = 0.5;
const MEMORY_MIB = 80;

const BLOCK = randomBytes(MIB);

/** Sends bytes that nothing makes smaller. @returns the answer's text */
function send(url: string, headers: Record<string, string>, mib: number): Promise<string> {
  const content = Readable.from(
    (function* () {
      for (let sent = 0; sent < mib; sent += 1) yield BLOCK;
    })(),
    { objectMode: false, highWaterMark: MIB },
  );
  return new Promise((resolve, reject) => {
    const all = { ...headers, 'content-type': 'application/octet-stream', 'content-length': String(mib * MIB) };
    const sent = request(url, { method: 'PUT', headers: all, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.once('end', () =>
        response.statusCode! < 300 ? resolve(text) : reject(new Error(`${response.statusCode}: ${text}`)),
      );
    });
    sent.once('error', reject);
    content.once('error', reject).pipe(sent);
  });
}

/** Fetches a file and throws it away. @throws unless all of it came */
function fetchAll(url: string, headers: Record<string, string>, mib: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { headers, agent: false }, (response) => {
      let bytes = 0;
      response.on('data', (piece: Buffer) => (bytes += piece.length));
      response.once('error', reject);
      response.once('end', () =>
        response.statusCode === 200 && bytes === mib * MIB
          ? resolve()
          : reject(new Error(`${response.statusCode} with ${bytes} bytes`)),
      );
    });
    outgoing.once('error', reject).end();
  });
}

async function getSeconds(work: Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work;
  return (performance.now() - began) / 1000;
}

/** The relative rate of one compared with the other, from seconds. */
function rateGoal(name: string, seconds: readonly { ours: number; theirs: number }[]): Goal {
  const ratios = seconds.map(({ ours, theirs }) => theirs / ours);
  const rate = (all: readonly number[]) => `${Math.round(FILE_MIB / median(all))} MiB/s`;
  report(
    `${name}: service ${rate(seconds.map(({ ours }) => ours))}, bare ${rate(seconds.map(({ theirs }) => theirs))}`,
  );
  return {
    name,
    target: `>= ${SHARE} of a bare stream's rate`,
    measured: withSpread(ratios),
    holds: median(ratios) >= SHARE,
  };
}

const memoryGoal = (name: string, highest: number, idle: number): Goal => ({
  name,
  target: `<= ${MEMORY_MIB} MiB above idle`,
  measured: `${(highest - idle).toFixed(0)} MiB above ${idle.toFixed(0)}`,
  holds: highest - idle <= MEMORY_MIB,
});

async function measure(site: BenchSite, name: string, env: NodeJS.ProcessEnv): Promise<Goal[]> {
  const api = await Child.start('api/main.js', env, site.directory);
  const bare = await Child.start('test/bench/twins/byte-store.js', env, site.directory);
  const headers = { 'private-token': site.data.token };
  const at = (file: string) =>
    `${api.url}/api/v4/projects/${site.data.projectId}/packages/generic/bytes/1.0/${name}-${file}`;
  try {
    await send(at('warm'), headers, 8);
    const idle = await getMemory(api);
    const up: { ours: number; theirs: number }[] = [];
    const down: { ours: number; theirs: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const ours = await getSeconds(send(at(`${round}`), headers, FILE_MIB));
      let key = '';
      const theirs = await getSeconds(send(`${bare.url}/`, {}, FILE_MIB).then((answer) => (key = answer)));
      up.push({ ours, theirs });
      down.push({
        ours: await getSeconds(fetchAll(at(`${round}`), headers, FILE_MIB)),
        theirs: await getSeconds(fetchAll(`${bare.url}/${key}`, {}, FILE_MIB)),
      });
    }
    const each = Array.from({ length: AT_ONCE }, (_none, number) => at(`part-${number}`));
    const sending = Promise.all(each.map((url) => send(url, headers, PART_MIB)));
    const whileSending = await highestWhile(sending, () => getMemory(api));
    const fetching = Promise.all(each.map((url) => fetchAll(url, headers, PART_MIB)));
    const whileFetching = await highestWhile(fetching, () => getMemory(api));
    return [
      rateGoal(`upload of ${FILE_MIB} MiB, ${name}`, up),
      rateGoal(`download of ${FILE_MIB} MiB, ${name}`, down),
      memoryGoal(`API memory with ${AT_ONCE} uploads at once, ${name}`, whileSending, idle),
      memoryGoal(`API memory with ${AT_ONCE} downloads at once, ${name}`, whileFetching, idle),
    ];
  } finally {
    await api.stop();
    await bare.stop();
  }
}

const local: Bench = {
  name: 'bytes-local',
  group: 'bytes',
  run: (site) => measure(site, 'local', site.env),
};

const s3: Bench = {
  name: 'bytes-s3',
  group: 'bytes',
  async run(site) {
    const server = await Child.start('test/bench/twins/s3-server.js', site.env, site.directory);
    try {
      return await measure(site, 's3', {
        ...site.env,
        OBJECT_STORE: 's3',
        S3_ENDPOINT: server.url,
        S3_REGION: 'us-east-1',
        S3_BUCKET: 'bucket-0',
        S3_ACCESS_KEY_ID: 'S3RVER',
        S3_SECRET_ACCESS_KEY: 'S3RVER',
      });
    } finally {
      await server.stop();
    }
  },
};

/** Files of 1 GB to and from packages, compared with a plain stream to and from the same store, alternating. */
export const bytesUpAndDown: Bench[] = [local, s3];
