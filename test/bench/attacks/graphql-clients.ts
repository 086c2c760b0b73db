import { setTimeout as sleep } from 'node:timers/promises';
import { HOSTILE_QUERIES } from '../../core/graphql/hostile-queries.js';
import { report } from '../goal.js';
import type { Goal } from '../goal.js';
import { quantile } from '../statistics.js';
import { attack } from './attack.js';
import type { Beside } from './attack.js';
import { TIMES } from './goals.js';
import { DEAREST, letIntoGroups } from './graphql.js';
import { ATTACKER } from './ground.js';
import type { Ground } from './ground.js';

/**
 * Connections of hostile clients, half of which send requests that are refused, and half requests that run as long as
 * permitted.
 */
const CLIENTS = 20;
/** Requests a second of the other client: enough of them for a 99th percentile. */
const PER_SECOND = 50;
const REJECTION_MS = 20;
/** Of each hostile query, one after the other while it is quiet. */
const TURNS = 10;

const bodies = Object.values(HOSTILE_QUERIES).map(([query]) => JSON.stringify({ query }));

/** Small queries of another client, at a steady rate. */
class SmallQueries {
  readonly #times: Promise<number>[] = [];

  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  async #ask(body: string): Promise<number> {
    const began = performance.now();
    const response = await fetch(`${this.url}/api/graphql`, {
      method: 'POST',
      headers: { 'private-token': this.token, 'content-type': 'application/json' },
      body,
    });
    await response.arrayBuffer();
    return performance.now() - began;
  }

  /** @returns the 99th percentile of a time range, in milliseconds */
  async during(over: AbortSignal): Promise<number> {
    const body = JSON.stringify({ query: '{ currentUser { username } }' });
    const from = this.#times.length;
    while (!over.aborted) {
      this.#times.push(this.#ask(body));
      await sleep(1000 / PER_SECOND);
    }
    return quantile(await Promise.all(this.#times.slice(from)), 0.99);
  }

  /** How long hostile queries take until they are refused, each by itself. */
  async timeRejections(): Promise<number[]> {
    const times: number[] = [];
    for (const body of bodies) {
      await this.#ask(body);
      for (let turn = 0; turn < TURNS; turn += 1) times.push(await this.#ask(body));
    }
    return times;
  }
}

function beside({ api, site }: Ground): Beside {
  const client = new SmallQueries(api.url, site.data.token);
  const p99 = { quiet: Number.NaN, attacked: Number.NaN };
  let rejectionTimes: number[] = [];
  return {
    async quiet() {
      rejectionTimes = await client.timeRejections();
      p99.quiet = await client.during(AbortSignal.timeout(5000));
    },
    async meanwhile(over) {
      p99.attacked = await client.during(over);
    },
    goals(): Goal[] {
      report(`a small query's p99: ${p99.quiet.toFixed(1)} ms quiet, ${p99.attacked.toFixed(1)} ms attacked`);
      return [
        {
          name: 'hostile query refused',
          target: `p90 <= ${REJECTION_MS} ms`,
          measured: `${quantile(rejectionTimes, 0.9).toFixed(1)} ms`,
          holds: quantile(rejectionTimes, 0.9) <= REJECTION_MS,
        },
        {
          name: "another client's small query",
          target: `p99 <= ${TIMES} x the quiet one`,
          measured: `${(p99.attacked / p99.quiet).toFixed(1)} x`,
          holds: p99.attacked <= TIMES * p99.quiet,
        },
      ];
    },
  };
}

/** Twenty clients: requests that are refused at once, and requests that run until their time limit. */
export const graphqlClients = attack({
  name: 'attack-graphql-clients',
  async prepare(ground) {
    await letIntoGroups(ground);
    return { token: await ground.tokenOf(ATTACKER) };
  },
  async run(attackers, { token }) {
    const path = '/api/graphql';
    await attackers.several(CLIENTS, (attacker) => {
      const body = attacker % 2 === 0 ? DEAREST : bodies[(attacker >> 1) % bodies.length];
      return attackers.ask({ method: 'POST', path, token, ...(body === undefined ? {} : { body }) });
    });
  },
  beside,
});
