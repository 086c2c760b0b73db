import type { TestApp } from './app.js';
import type { Offering, Plan } from '../../shared/core/operations/operation.js';
import type { Serializer } from '../../shared/core/operations/serializer.js';
import type { ProjectRecord } from '../../shared/tenancy/projects/project.entity.js';
import type { BuiltUser } from './builders.js';
import type { Sandbox } from './sandbox.js';

/** Values of the parameters in a path. */
export type PathValues = Record<string, string>;

type Value = string | number;
/** Makes a record, or names one; `path` has the values of the parameters before it. */
export type RecordExample = (sandbox: Sandbox, path: PathValues) => Value | Promise<Value>;

/** The information that the walking tests need about one request in addition to its declaration. */
export interface RequestExample {
  /**
   * The last parameter of the path, if it must not exist yet, or must be a record that no other request has changed.
   */
  unused?: RecordExample;
  /** Parameters that are needed in addition to the required ones, or must satisfy more than their type. */
  params?: Record<string, (sandbox: Sandbox) => unknown>;
  /** Prepares the data that the request changes, if the record alone is not enough. */
  ready?: (sandbox: Sandbox, path: PathValues) => Promise<unknown>;
  /** Who calls, where the least role or the container's owner is not the one. */
  caller?: (sandbox: Sandbox) => Promise<BuiltUser> | BuiltUser;
  /** Why the body that its description shows is refused: what it names is not there. */
  namesOthers?: string;
  /** The changes of an edit that produce an event. */
  edit?: Record<string, unknown>;
  /** Why a write for Maintainers and above, which changes no permissions, is not in the audit log. */
  notAudited?: string;
  /** Why such a write publishes no event either. */
  notPublished?: string;
  /**
   * The status without a credential, if the route is open to all users and its path contains no private project or
   * group.
   */
  anonymousStatus?: 401 | 403 | 404;
  /** Why the answer is no JSON of bounded size. */
  ownForm?: string;
  /** A list whose response has no total. */
  uncounted?: true;
}

/** A type, the serializer of the same data in REST, and their intended differences. */
export interface GraphqlPair {
  type: string;
  // Each serializer is of another record; only its keys matter here.
  serializer: Serializer<never>;
  /** Key of the serializer to field of the type, if they differ in more than spelling. */
  renamed?: Record<string, string>;
  /** Not in GraphQL, on purpose or not yet. */
  restOnly?: string[];
  /** Not in REST. */
  graphqlOnly?: string[];
}

/** The records of a project and its group in the instance that GraphQL queries read. */
export interface GraphqlFixture {
  app: TestApp;
  admin: BuiltUser;
  /** Developer of the group, Maintainer of the project. */
  user: BuiltUser;
  /** The group that holds all others. */
  above: { id: number };
  group: { id: number };
  project: ProjectRecord;
  /** The index of this container among all, from 0. */
  index: number;
}

/** The information that the tests that walk over GraphQL need about an area's types. */
interface GraphqlExamples {
  /** Gives a project, its group or its member everything that the area's types show of them. */
  fill?: (fixture: GraphqlFixture) => Promise<unknown>;
  /** `Type.field` to its arguments, such as `(iid: "1")`, without which it is an error or null. */
  arguments?: Record<string, string>;
  /**
   * `Type.field` or `Type` to the fields from the root down to objects that have it, where those on the shortest way to
   * the type have not; the first list with `$n` nodes, the others with one.
   */
  ways?: Record<string, readonly string[]>;
  /** `Type.field` that only every other object has: of two of them one does. */
  ofSome?: readonly string[];
  /** Types of which there are never several. */
  alone?: readonly string[];
  /** `Type.field` of another area's type that the area adds, and that its serializer in REST has not. */
  added?: readonly string[];
  /** Types that have a serializer in REST. */
  pairs?: readonly GraphqlPair[];
}

/** What the operations of some paths need of an instance, as the contract has it; all others need nothing. */
interface PlanNeed {
  /** Paths below `/api/v4`. */
  path: RegExp;
  plan?: Plan;
  offerings?: readonly Offering[];
}

/**
 * The information that the walking tests need about an area: the default export of
 * `test/<domain>/<area>/<area>.examples.ts`, which is found by its name. Areas that need little are part of a list, the
 * default export of `test/<domain>/<domain>.examples.ts`.
 */
export interface AreaExamples {
  /** A record for each path parameter, by the path up to it: `/projects/:id/jobs/:job_id`. */
  records?: Record<string, RecordExample>;
  /** By `METHOD /path`. */
  requests?: Record<string, RequestExample>;
  needs?: readonly PlanNeed[];
  graphql?: GraphqlExamples;
}
