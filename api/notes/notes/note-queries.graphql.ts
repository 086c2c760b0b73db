import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { getAnyNote } from '../../../shared/notes/discussions/any-note.operations.js';
import { findDiscussions } from '../../../shared/notes/discussions/discussion.finder.js';
import { epicNoteable } from '../../../shared/notes/noteables/epic-noteable.js';
import { issueNoteable } from '../../../shared/notes/noteables/issue-noteable.js';
import { mergeRequestNoteable } from '../../../shared/notes/noteables/merge-request-noteable.js';
import type { Noteable } from '../../../shared/notes/noteables/noteable.js';
import { snippetNoteable } from '../../../shared/notes/noteables/snippet-noteable.js';
import { findCommenters } from '../../../shared/notes/notes/commenters.js';
import { noteOrder, findNotes } from '../../../shared/notes/notes/note.finder.js';
import { noteablePolicy } from '../../../shared/notes/notes/note.policy.js';
import { ofActivity } from '../../../shared/notes/notes/visible-notes.js';
import { connectionOf, PageArgs } from '../../core/graphql/connections.js';
import { lookup, paged } from '../../core/graphql/costs.js';
import type { GlobalId } from '../../core/graphql/global-ids.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { MergeRequestObject } from '../../merge-requests/merge-requests/merge-requests.graphql.js';
import { EpicObject } from '../../planning/epics/epics.graphql.js';
import { NoteableInterface } from '../../planning/issuables/noteable-interface.graphql.js';
import { WorkItemObject } from '../../planning/issue-links/linked-items.graphql.js';
import type { SnippetObject } from '../../planning/snippets/snippets.graphql.js';
import { IssueObject } from '../../planning/issues/issues.graphql.js';
import { Sort, UserCoreConnection } from '../../tenancy/users/user-queries.graphql.js';
import { UserCoreType } from '../../tenancy/users/users.graphql.js';
import { DiscussionConnection, DiscussionObject } from '../discussions/discussions.graphql.js';
import { NoteConnection, NoteID, NoteObject, NotesFilterType } from './notes.graphql.js';

type Filter = (typeof NotesFilterType)[keyof typeof NotesFilterType];
type Order = (typeof Sort)[keyof typeof Sort];

@ArgsType()
class NotesArgs extends PageArgs {
  @Field(() => Sort, { nullable: true, description: 'Sort order of the notes; defaults to oldest first.' })
  sort?: Order | null;

  @Field(() => NotesFilterType, {
    nullable: true,
    defaultValue: NotesFilterType.ALL_NOTES,
    description: 'Filter by comments of users, system notes, or both.',
  })
  filter!: Filter | null;
}

@Resolver()
export class NoteResolver {
  @Query(() => NoteObject, {
    nullable: true,
    complexity: lookup,
    description: 'Note with the specified global ID; null for those who may not read it.',
  })
  async note(
    @Arg('id', () => NoteID, { description: 'Global ID of the note.' }) { id }: GlobalId,
    @Ctx() request: GraphqlRequest,
  ): Promise<NoteObject> {
    return new NoteObject(await invoke(request.ctx, getAnyNote, { id }), request);
  }
}

/** Every type that can be commented on. */
type NoteableObject = IssueObject | WorkItemObject | MergeRequestObject | EpicObject | SnippetObject;

/** A record as its notes know it; null of a personal snippet, and for those who read no notes of it. */
async function readableNoteable(root: NoteableObject, { ctx }: GraphqlRequest): Promise<Noteable | null> {
  const noteable = await getNoteable(root);
  return noteable && noteablePolicy.read_note(ctx.caller, noteable) ? noteable : null;
}

async function getNoteable(root: NoteableObject): Promise<Noteable | null> {
  if (root instanceof IssueObject) return issueNoteable(await root.full());
  if (root instanceof WorkItemObject) return issueNoteable(await new IssueObject(root.record, root.request).full());
  if (root instanceof MergeRequestObject) return mergeRequestNoteable(await root.full());
  if (root instanceof EpicObject) return epicNoteable(await root.full());
  const { project, ...record } = await root.full();
  return project && snippetNoteable({ ...record, project });
}

/** What everything that can be commented on has (graphql.md section 5.5), as far as the caller may read it. */
@Resolver(() => NoteableInterface)
export class NoteableResolver {
  @FieldResolver(() => NoteConnection, { nullable: true, complexity: paged, description: 'Notes on the record.' })
  async notes(
    @Root() root: NoteableObject,
    @Args(() => NotesArgs) args: NotesArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const noteable = await readableNoteable(root, request);
    if (!noteable) return null;
    const [by, direction] = (args.sort ?? Sort.CREATED_ASC).split('_') as ['created' | 'updated', 'asc' | 'desc'];
    const list = await findNotes(request.ctx, noteable, ofActivity(args.filter ?? NotesFilterType.ALL_NOTES));
    const ordered = { ...list, order: noteOrder(`${by}_at`, direction) };
    return connectionOf(request, ordered, args, (note) => new NoteObject(note, request));
  }

  @FieldResolver(() => DiscussionConnection, {
    nullable: true,
    complexity: paged,
    description: 'Threads of the record.',
  })
  async discussions(
    @Root() root: NoteableObject,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const noteable = await readableNoteable(root, request);
    const list = noteable && (await findDiscussions(request.ctx, noteable));
    return list && connectionOf(request, list, args, (discussion) => new DiscussionObject(discussion, request));
  }

  @FieldResolver(() => UserCoreConnection, {
    nullable: true,
    complexity: paged,
    description: 'Users who commented on the record.',
  })
  async commenters(
    @Root() root: NoteableObject,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const noteable = await readableNoteable(root, request);
    const list = noteable && findCommenters(request.ctx, noteable);
    return list && connectionOf(request, list, args, (user) => new UserCoreType(user, request));
  }
}
