import { Args, Extensions, Field, ID, Int, ObjectType } from 'type-graphql';
import type { Load } from '../../../shared/core/context/loads.js';
import type { Serializer } from '../../../shared/core/operations/serializer.js';
import type { ListedEpic } from '../../../shared/planning/epics/epic.entity.js';
import type { Label } from '../../../shared/planning/labels/label.entity.js';
import type { UserSummary } from '../../../shared/tenancy/users/user.entity.js';
import { PageArgs } from '../../core/graphql/connections.js';
import { globalId } from '../../core/graphql/global-ids.js';
import { loadField } from '../../core/graphql/loaded-field.js';
import { SHORT } from '../../core/graphql/nodes.js';
import { Time } from '../../core/graphql/scalars.js';
import { presentField } from '../../core/graphql/present-field.js';
import { pageOfRecords, RecordField, RecordObject } from '../../core/graphql/records.js';
import { UserCoreType } from '../../tenancy/users/users.graphql.js';
import { LabelConnection, LabelType } from '../labels/labels.graphql.js';

/** The fields that issues, merge requests and epics share. */
type IssuableDetails = Pick<
  ListedEpic,
  'author' | 'closed_at' | 'description' | 'downvotes' | 'full_path' | 'id' | 'iid' | 'upvotes'
>;

/** Where a kind of issuable has what all kinds have. */
export interface IssuableKind<R extends object> {
  /** Its type in global ids. */
  readonly type: string;
  readonly serializer: Serializer<R>;
  readonly html: Load<R, Readonly<Record<'title' | 'description', string>>>;
  readonly labels: Load<R, Label[]>;
  readonly subscriptions: Load<R, boolean>;
  /** Path of its page. */
  readonly path: (record: R) => string;
}

/** The common fields of issues, merge requests and epics, for callers with read access (graphql.md section 5). */
@ObjectType()
export abstract class IssuableFields<R extends IssuableDetails> extends RecordObject<R> {
  protected abstract get kind(): IssuableKind<R>;

  /** What REST shows under a key. */
  protected presentField(key: string): unknown {
    return presentField(this.kind.serializer, key, this.record, this.request.ctx);
  }

  /** A page of users who are in memory. */
  protected people(users: readonly UserSummary[] | null, args: PageArgs): unknown {
    return pageOfRecords(this.request, users, args, UserCoreType);
  }

  @Field(() => ID, { description: 'Global ID of the issue, merge request or epic.' })
  get id(): string {
    return globalId(this.kind.type, this.record.id);
  }

  @Field(() => String, { nullable: true, description: 'Title of the issue, merge request or epic, as HTML.' })
  async titleHtml(): Promise<string> {
    return (await loadField(this.request, this.kind.html, this.record))?.title ?? '';
  }

  @RecordField(() => String, {
    nullable: true,
    description: 'Description of the issue, merge request or epic, as Markdown.',
  })
  declare readonly description: string | null;

  @Field(() => String, { nullable: true, description: 'Description of the issue, merge request or epic, as HTML.' })
  async descriptionHtml(): Promise<string> {
    return (await loadField(this.request, this.kind.html, this.record))?.description ?? '';
  }

  @Field(() => String, { description: 'Path of the page of the issue, merge request or epic.' })
  get webPath(): string {
    return this.kind.path(this.record);
  }

  @Field(() => UserCoreType, { nullable: true, description: 'User who created the issue, merge request or epic.' })
  get author(): UserCoreType | null {
    return UserCoreType.of(this.record.author, this.request);
  }

  @Field(() => LabelConnection, {
    nullable: true,
    description: 'Labels of the issue, merge request or epic, by title.',
  })
  @Extensions(SHORT)
  async labels(@Args(() => PageArgs) args: PageArgs): Promise<unknown> {
    const labels = await loadField(this.request, this.kind.labels, this.record);
    return pageOfRecords(this.request, labels, args, LabelType);
  }

  @RecordField(() => Time, {
    nullable: true,
    description: 'Timestamp of when the issue, merge request or epic was closed.',
  })
  declare readonly closedAt: Date | null;

  @RecordField(() => Int, { description: 'Number of thumbs up received.' })
  declare readonly upvotes: number;

  @RecordField(() => Int, { description: 'Number of thumbs down received.' })
  declare readonly downvotes: number;

  @Field(() => Boolean, { complexity: 5, description: 'Indicates the caller is subscribed to notifications.' })
  async subscribed(): Promise<boolean> {
    return (await loadField(this.request, this.kind.subscriptions, this.record)) ?? false;
  }
}
