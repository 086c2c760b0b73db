import { sql } from 'kysely';
import { auditedProject } from '../../shared/instance/audit-events/audit-note.js';
import type { DomainEvent } from '../../shared/core/values/events.js';
import type { CallerToken, Principal } from '../../shared/core/context/callers.js';
import type { Domain } from '../../shared/core/domain.js';
import { subscriber } from '../../shared/core/context/subscribers.js';
import type { TokenColumns, TokenSource } from '../../shared/core/context/token-source.js';

/** A kind of caller that no domain has, to verify that core supports it, and denies it everything else. */
export class Probe implements Principal {
  readonly kind = 'probe';
  readonly token: CallerToken;
  /** The abilities that policies checked. */
  readonly abilitiesChecked: string[] = [];

  /** @param abilities what it may do, with anything; `*` for all */
  constructor(
    readonly id: number,
    readonly name: string,
    scopes: readonly string[],
    private readonly abilities: readonly string[] = [],
  ) {
    this.token = { kind: 'probe', id, scopes };
  }

  may(ability: string): boolean {
    this.abilitiesChecked.push(ability);
    return this.abilities.includes('*') || this.abilities.includes(ability);
  }
}

declare module '../../shared/core/context/callers.js' {
  interface TokenKinds {
    probe: true;
  }
  interface Principals {
    probe: Probe;
  }
}

declare module '../../shared/core/values/events.js' {
  interface DomainEvents {
    'probe.passed': { readonly project: { id: number; full_path: string; namespace_id: number } };
  }
}

/** Published events, and their authors. */
export const heard: { project_id: number; by: string }[] = [];

/** The details of a probe, found by its token. */
export interface ProbeDetails {
  id: number;
  name: string;
  scopes: readonly string[];
  abilities: readonly string[];
  /** An instant, ISO 8601. */
  ends_at?: string;
  revoked?: boolean;
}

/** A domain with its own tokens and events; the statement itself contains the data that a table would hold. */
export function probeDomain(
  digestOf: (token: string) => Buffer,
  probes: Readonly<Record<string, ProbeDetails>>,
): Domain {
  const tokens: TokenSource = {
    kind: 'probe',
    carriers: ['private_token', 'bearer'],
    withDigest(digest) {
      const rows = Object.entries(probes).map(([token, details]) => {
        const { id, scopes, revoked = false, ends_at = null } = details;
        return sql`
          select ${id}::bigint as id, null::bigint as user_id, ${scopes}::text[] as scopes, ${revoked}::boolean as revoked,
                 ${ends_at}::timestamptz as ends_at, null::timestamptz as last_used_at,
                 ${JSON.stringify(details)}::jsonb as details
           where ${digest}::bytea = ${digestOf(token)}`;
      });
      return sql<TokenColumns>`(${sql.join(rows, sql` union all `)})`;
    },
    callerOf({ id, scopes, details }) {
      const { name, abilities } = details as ProbeDetails;
      return new Probe(id, name, scopes, abilities);
    },
  };
  const log = subscriber('probes', ['probe.passed'], ({ caller }, events) => {
    const by = caller.kind === 'probe' ? `probe ${caller.id} ${caller.name}` : caller.kind;
    heard.push(...events.map(({ project }) => ({ project_id: project.id, by })));
    return Promise.resolve();
  });
  const auditOf: Domain['auditOf'] = {
    'probe.passed': ({ project }: DomainEvent<'probe.passed'>) => ({
      event: 'probe_passed',
      entity: auditedProject(project),
      message: 'Passed',
    }),
  };
  return { name: 'probes', entities: [], jobKinds: [], subscribers: [log], tokenSources: [tokens], auditOf };
}
