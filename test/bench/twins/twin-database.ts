import { createDecipheriv, createHmac } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import pg from 'pg';

export interface Answer {
  /** 200 by default. */
  status?: number;
  body: string;
  headers?: Record<string, string>;
}

/** Connections at most, as many as a process of the service has. */
const POOL_SIZE = 10;

pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Prepared statements by name on a pool, and the data that responses need in addition to rows. */
export class TwinDatabase {
  readonly #pool: pg.Pool;

  constructor(
    url: string,
    readonly externalUrl: string,
    private readonly sealing: KeyObject,
    private readonly digesting: KeyObject,
    /** Where repositories lie. */
    readonly repositories: string,
  ) {
    this.#pool = new pg.Pool({ connectionString: url, max: POOL_SIZE });
  }

  async rows<T>(name: string, text: string, values: unknown[]): Promise<T[]> {
    return (await this.#pool.query({ name, text, values })).rows as T[];
  }

  /** The stored digest of a token. */
  digest(token: string): Buffer {
    return createHmac('sha256', this.digesting).update(token).digest();
  }

  /** The user of a token that is good for reading, or null. */
  async userOf(digest: Buffer): Promise<number | null> {
    const [row] = await this.rows<{ id: number }>(
      'token',
      `select u.id from personal_access_tokens t join users u on u.id = t.user_id
        where t.digest = $1 and not t.revoked and (t.expires_on is null or t.expires_on > current_date)
          and u.state = 'active' and t.scopes && array['api', 'read_api']`,
      [digest],
    );
    return row?.id ?? null;
  }

  /** @param base64 as PostgreSQL writes it, in lines */
  decrypt(base64: string, boundTo: string): string {
    const sealed = Buffer.from(base64, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', this.sealing, sealed.subarray(1, 13));
    decipher.setAAD(Buffer.from(boundTo));
    decipher.setAuthTag(sealed.subarray(13, 29));
    return Buffer.concat([decipher.update(sealed.subarray(29)), decipher.final()]).toString('utf8');
  }
}

/** The effective access level of user `$1` in project `p` of namespace `n`, by the rule of the service. */
export const ACCESS = `
  greatest(
    case when n.owner_id = $1 then 50 else 0 end,
    coalesce((select max(m.access_level) from project_members m
      where m.project_id = p.id and m.user_id = $1 and (m.expires_on is null or m.expires_on > current_date)), 0),
    coalesce((select max(m.access_level) from group_members m
      where m.user_id = $1 and m.namespace_id = any(n.traversal_ids)
        and (m.expires_on is null or m.expires_on > current_date)), 0))`;
