import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { invoke } from '../../../shared/core/operation.js';
import { getAnyNote } from '../../../shared/notes/discussions/any-note.operations.js';
import { discussionsOf } from '../../../shared/notes/discussions/discussion.finder.js';
import { issueNoteable } from '../../../shared/notes/noteables/issue-noteable.js';
import { commentersOf } from '../../../shared/notes/notes/commenters.js';
import { notesOf } from '../../../shared/notes/notes/note.finder.js';
import { ofActivity } from '../../../shared/notes/notes/note.filters.js';
import { connectionOf, PageArgs } from '../../core/graphql/connections.js';
import { lookup, paged } from '../../core/graphql/costs.js';
import type { GlobalId } from '../../core/graphql/global-ids.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { IssueObject } from '../../planning/issues/issues.graphql.js';
import { UserCoreConnection } from '../../tenancy/users/user-queries.graphql.js';
import { UserCoreType } from '../../tenancy/users/users.graphql.js';
import {
  DiscussionConnection,
  DiscussionObject,
  NoteConnection,
  NoteID,
  NoteObject,
  NotesFilterType,
} from './notes.graphql.js';

type Filter = (typeof NotesFilterType)[keyof typeof NotesFilterType];

@ArgsType()
class NotesArgs extends PageArgs {
  @Field(() => NotesFilterType, {
    nullable: true,
    defaultValue: NotesFilterType.ALL_NOTES,
    description: 'What people said, what the service told, or both.',
  })
  filter!: Filter | null;
}

@Resolver()
export class NoteResolver {
  @Query(() => NoteObject, {
    nullable: true,
    complexity: lookup,
    description: 'The note of a global id; null for those who may not read it.',
  })
  async note(
    @Arg('id', () => NoteID, { description: 'Global id.' }) { id }: GlobalId,
    @Ctx() request: GraphqlRequest,
  ): Promise<NoteObject> {
    return new NoteObject(await invoke(request.ctx, getAnyNote, { id }), request);
  }
}

/** What an issue has as something that can be commented on. */
@Resolver(() => IssueObject)
export class NotesOfIssueResolver {
  @FieldResolver(() => NoteConnection, { nullable: true, complexity: paged, description: 'What is said about it.' })
  async notes(
    @Root() issue: IssueObject,
    @Args(() => NotesArgs) args: NotesArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const where = ofActivity(args.filter ?? NotesFilterType.ALL_NOTES);
    const list = notesOf(request.ctx, issueNoteable(await issue.full()), where);
    return connectionOf(request, list, args, (note) => new NoteObject(note, request));
  }

  @FieldResolver(() => DiscussionConnection, { nullable: true, complexity: paged, description: 'Its threads.' })
  async discussions(
    @Root() issue: IssueObject,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const list = discussionsOf(request.ctx, issueNoteable(await issue.full()));
    return connectionOf(request, list, args, (discussion) => new DiscussionObject(discussion, request));
  }

  @FieldResolver(() => UserCoreConnection, { nullable: true, complexity: paged, description: 'Who commented on it.' })
  async commenters(
    @Root() issue: IssueObject,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const list = commentersOf(request.ctx, issueNoteable(await issue.full()));
    return connectionOf(request, list, args, (user) => new UserCoreType(user, request));
  }
}
