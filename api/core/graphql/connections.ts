import { Arg, ArgsType, Field, Int, ObjectType } from 'type-graphql';
import type { ClassType } from 'type-graphql';
import { BadParams } from '../../../shared/core/values/errors.js';
import { countUpTo, decodeCursor, encodeCursor, readKeysetPage } from '../../../shared/core/database/list.js';
import type { List } from '../../../shared/core/database/list.js';
import { MAX_PAGE } from './costs.js';
import { GraphqlProblem } from './errors.js';
import type { TurnScheduler } from './turn-scheduler.js';
import type { GraphqlRequest } from './request.js';

/** The arguments of every connection. */
@ArgsType()
export class PageArgs {
  @Field(() => String, {
    nullable: true,
    description: 'Returns the elements in the list that come after the specified cursor.',
  })
  after?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Returns the elements in the list that come before the specified cursor.',
  })
  before?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: `Returns the first _n_ elements from the list, at most ${MAX_PAGE}.`,
  })
  first?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: `Returns the last _n_ elements from the list, at most ${MAX_PAGE}.`,
  })
  last?: number | null;
}

/** Where a page lies in its connection. */
@ObjectType('PageInfo', { description: 'Information about pagination in a connection.', simpleResolvers: true })
export class PageInfo {
  @Field(() => Boolean, { description: 'Indicates there are more items after the page.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'Indicates there are items before the page.' })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: 'Cursor of the first node.' })
  startCursor!: string | null;

  @Field(() => String, { nullable: true, description: 'Cursor of the last node.' })
  endCursor!: string | null;
}

interface Entry<T> {
  cursor: string;
  record: T;
}

interface Slice<T> {
  entries: Entry<T>[];
  /** More in the direction of reading. */
  hasMore: boolean;
}

/** One page of a connection, read when its first field is resolved. */
export class Connection<N> {
  #slice: Promise<Slice<unknown>> | undefined;

  constructor(
    private readonly args: PageArgs,
    private readonly read: () => Promise<Slice<unknown>>,
    private readonly node: (record: never) => N,
    private readonly total: (limit: number) => Promise<number>,
    private readonly scheduler: TurnScheduler,
  ) {}

  #read() {
    return (this.#slice ??= this.read());
  }

  async nodes(): Promise<(N | Promise<N>)[]> {
    return (await this.#read()).entries.map(({ record }) => this.scheduler.give(this.node(record as never)));
  }

  async edges(): Promise<unknown[]> {
    const { entries } = await this.#read();
    return entries.map(({ cursor, record }) => this.scheduler.give({ cursor, node: this.node(record as never) }));
  }

  async pageInfo(): Promise<PageInfo> {
    const { entries, hasMore } = await this.#read();
    const backwards = isNumber(this.args.last);
    return {
      // At least the record of a given cursor lies beyond the page.
      hasNextPage: (!backwards && hasMore) || Boolean(this.args.before),
      hasPreviousPage: (backwards && hasMore) || Boolean(this.args.after),
      startCursor: entries[0]?.cursor ?? null,
      endCursor: entries.at(-1)?.cursor ?? null,
    };
  }

  count({ limit }: { limit?: number | null } = {}): Promise<number> {
    return this.total(isNumber(limit) ? Math.max(limit, 0) : Number.MAX_SAFE_INTEGER - 1);
  }
}

const isNumber = (value: number | null | undefined): value is number => typeof value === 'number';

/** Size and direction of a page; a negative size is none, one above the maximum is the maximum. @throws GraphqlProblem */
function getSize({ first, last }: PageArgs): number {
  if (isNumber(first) && isNumber(last))
    throw new GraphqlProblem('Can only provide either `first` or `last`, not both');
  return Math.max(Math.min(first ?? last ?? MAX_PAGE, MAX_PAGE), 0);
}

function badCursor(): never {
  throw new GraphqlProblem('Please provide a valid cursor');
}

/** A page of a list, read from the database by its ordering values. @throws GraphqlProblem for a bad cursor or size */
export function connectionOf<T, N>(
  request: GraphqlRequest,
  list: List<T>,
  args: PageArgs,
  node: (record: T) => N,
): Connection<N> {
  const limit = getSize(args);
  const position = (cursor: string) => {
    try {
      return decodeCursor(list, cursor);
    } catch (error) {
      if (error instanceof BadParams) return badCursor();
      throw error;
    }
  };
  const range = {
    ...(args.after ? { after: position(args.after) } : {}),
    ...(args.before ? { before: position(args.before) } : {}),
    fromEnd: isNumber(args.last),
  };
  const read = async () => {
    const { records, hasMore } = await readKeysetPage(request.ctx, list, limit, range);
    return { hasMore, entries: records.map((record) => ({ cursor: encodeCursor(list, record), record })) };
  };
  return new Connection(args, read, node, (most) => countUpTo(request.ctx, list, most), request.execution.scheduler);
}

/**
 * A page of records that are already in memory, such as the associated records of one record that are read in a batch.
 * @param key identifies a record; cursors are derived from it
 */
export function connectionOfRecords<T, N>(
  request: GraphqlRequest,
  records: readonly T[],
  args: PageArgs,
  key: (record: T) => number | string,
  node: (record: T) => N,
): Connection<N> {
  const limit = getSize(args);
  const entries = records.map((record) => ({
    cursor: Buffer.from(JSON.stringify({ key: key(record) })).toString('base64url'),
    record,
  }));
  const at = (cursor: string) => {
    const index = entries.findIndex((entry) => entry.cursor === cursor);
    return index < 0 ? badCursor() : index;
  };
  const from = args.after ? at(args.after) + 1 : 0;
  const between = entries.slice(from, args.before ? at(args.before) : entries.length);
  const page = isNumber(args.last) ? between.slice(Math.max(between.length - limit, 0)) : between.slice(0, limit);
  const slice = { entries: page, hasMore: page.length < between.length };
  return new Connection(
    args,
    () => Promise.resolve(slice),
    node,
    (most) => Promise.resolve(Math.min(records.length, most + 1)),
    request.execution.scheduler,
  );
}

/**
 * The types `<Name>Connection` and `<Name>Edge` of a node type.
 * @param options.count offers `count` on it
 */
export function connectionType<N extends object>(node: ClassType<N>, name: string, options: { count?: boolean } = {}) {
  @ObjectType(`${name}Edge`, { description: `An edge in a connection of ${name} records.`, simpleResolvers: true })
  class EdgeType {
    @Field(() => String, { description: 'Cursor for use in pagination.' })
    cursor!: string;

    @Field(() => node, { nullable: true, description: 'Item at the end of the edge.' })
    node!: N | null;
  }

  @ObjectType(`${name}Connection`, { description: `A page of ${name} records.`, simpleResolvers: true })
  class ConnectionType {
    @Field(() => [node], { nullable: 'itemsAndList', description: 'List of nodes.' })
    nodes!: N[];

    @Field(() => [EdgeType], { nullable: 'itemsAndList', description: 'List of edges.' })
    edges!: EdgeType[];

    @Field(() => PageInfo, { description: 'Information to aid in pagination.' })
    pageInfo!: PageInfo;
  }
  if (options.count) addCount(ConnectionType);
  return ConnectionType;
}

function addCount({ prototype }: ClassType): void {
  const description = 'Limit of the count; where more items exist, the limit plus one is returned.';
  Field(() => Int, { description: 'Total number of items on all pages.' })(prototype, 'count');
  Arg('limit', () => Int, { nullable: true, description })(prototype, 'count', 0);
}
