import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { invoke } from '../../../shared/core/invoke.js';
import { getAnyNote } from '../../../shared/notes/discussions/any-note.operations.js';
import { discussionsOf } from '../../../shared/notes/discussions/discussion.finder.js';
import { epicNoteable } from '../../../shared/notes/noteables/epic-noteable.js';
import { issueNoteable } from '../../../shared/notes/noteables/issue-noteable.js';
import { mergeRequestNoteable } from '../../../shared/notes/noteables/merge-request-noteable.js';
import type { Noteable } from '../../../shared/notes/noteables/noteable.js';
import { snippetNoteable } from '../../../shared/notes/noteables/snippet-noteable.js';
import { commentersOf } from '../../../shared/notes/notes/commenters.js';
import { notesOf } from '../../../shared/notes/notes/note.finder.js';
import { ofActivity } from '../../../shared/notes/notes/note.filters.js';
import { connectionOf, PageArgs } from '../../core/graphql/connections.js';
import { lookup, paged } from '../../core/graphql/costs.js';
import type { GlobalId } from '../../core/graphql/global-ids.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { MergeRequestObject } from '../../merge-requests/merge-requests/merge-requests.graphql.js';
import { EpicObject } from '../../planning/epics/epics.graphql.js';
import { SnippetObject } from '../../planning/snippets/snippets.graphql.js';
import { IssueObject } from '../../planning/issues/issues.graphql.js';
import { UserCoreConnection } from '../../tenancy/users/user-queries.graphql.js';
import { UserCoreType } from '../../tenancy/users/users.graphql.js';
import { DiscussionConnection, DiscussionObject } from '../discussions/discussions.graphql.js';
import { NoteConnection, NoteID, NoteObject, NotesFilterType } from './notes.graphql.js';

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

/** What is said about a record, as far as the caller may read it. */
function notesPage(request: GraphqlRequest, noteable: Noteable, args: NotesArgs): unknown {
  const list = notesOf(request.ctx, noteable, ofActivity(args.filter ?? NotesFilterType.ALL_NOTES));
  return connectionOf(request, list, args, (note) => new NoteObject(note, request));
}

function discussionsPage(request: GraphqlRequest, noteable: Noteable, args: PageArgs): unknown {
  const list = discussionsOf(request.ctx, noteable);
  return connectionOf(request, list, args, (discussion) => new DiscussionObject(discussion, request));
}

function commentersPage(request: GraphqlRequest, noteable: Noteable, args: PageArgs): unknown {
  const list = commentersOf(request.ctx, noteable);
  return connectionOf(request, list, args, (user) => new UserCoreType(user, request));
}

const NOTES = { nullable: true, complexity: paged, description: 'What is said about it.' } as const;
const DISCUSSIONS = { nullable: true, complexity: paged, description: 'Its threads.' } as const;
const COMMENTERS = { nullable: true, complexity: paged, description: 'Who commented on it.' } as const;

/** What an issue has as something that can be commented on (graphql.md section 5.5). */
@Resolver(() => IssueObject)
export class NotesOfIssueResolver {
  @FieldResolver(() => NoteConnection, NOTES)
  async notes(
    @Root() issue: IssueObject,
    @Args(() => NotesArgs) args: NotesArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return notesPage(request, issueNoteable(await issue.full()), args);
  }

  @FieldResolver(() => DiscussionConnection, DISCUSSIONS)
  async discussions(
    @Root() issue: IssueObject,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return discussionsPage(request, issueNoteable(await issue.full()), args);
  }

  @FieldResolver(() => UserCoreConnection, COMMENTERS)
  async commenters(
    @Root() issue: IssueObject,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return commentersPage(request, issueNoteable(await issue.full()), args);
  }
}

/** What a merge request has as something that can be commented on (graphql.md section 5.5). */
@Resolver(() => MergeRequestObject)
export class NotesOfMergeRequestResolver {
  @FieldResolver(() => NoteConnection, NOTES)
  async notes(
    @Root() found: MergeRequestObject,
    @Args(() => NotesArgs) args: NotesArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return notesPage(request, mergeRequestNoteable(await found.full()), args);
  }

  @FieldResolver(() => DiscussionConnection, DISCUSSIONS)
  async discussions(
    @Root() found: MergeRequestObject,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return discussionsPage(request, mergeRequestNoteable(await found.full()), args);
  }

  @FieldResolver(() => UserCoreConnection, COMMENTERS)
  async commenters(
    @Root() found: MergeRequestObject,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return commentersPage(request, mergeRequestNoteable(await found.full()), args);
  }
}

/** What an epic has as something that can be commented on (graphql.md section 5.5). */
@Resolver(() => EpicObject)
export class NotesOfEpicResolver {
  @FieldResolver(() => NoteConnection, NOTES)
  async notes(
    @Root() epic: EpicObject,
    @Args(() => NotesArgs) args: NotesArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return notesPage(request, epicNoteable(await epic.full()), args);
  }

  @FieldResolver(() => DiscussionConnection, DISCUSSIONS)
  async discussions(
    @Root() epic: EpicObject,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return discussionsPage(request, epicNoteable(await epic.full()), args);
  }

  @FieldResolver(() => UserCoreConnection, COMMENTERS)
  async commenters(
    @Root() epic: EpicObject,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return commentersPage(request, epicNoteable(await epic.full()), args);
  }
}

/** A snippet as its notes know it; null of a personal one, which is not commented on. */
async function noteableSnippet(snippet: SnippetObject): Promise<Noteable | null> {
  const { project, ...record } = await snippet.full();
  return project && snippetNoteable({ ...record, project });
}

/** What a snippet of a project has as something that can be commented on (graphql.md section 5.5). */
@Resolver(() => SnippetObject)
export class NotesOfSnippetResolver {
  @FieldResolver(() => NoteConnection, NOTES)
  async notes(
    @Root() snippet: SnippetObject,
    @Args(() => NotesArgs) args: NotesArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const noteable = await noteableSnippet(snippet);
    return noteable && notesPage(request, noteable, args);
  }

  @FieldResolver(() => DiscussionConnection, DISCUSSIONS)
  async discussions(
    @Root() snippet: SnippetObject,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const noteable = await noteableSnippet(snippet);
    return noteable && discussionsPage(request, noteable, args);
  }

  @FieldResolver(() => UserCoreConnection, COMMENTERS)
  async commenters(
    @Root() snippet: SnippetObject,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const noteable = await noteableSnippet(snippet);
    return noteable && commentersPage(request, noteable, args);
  }
}
