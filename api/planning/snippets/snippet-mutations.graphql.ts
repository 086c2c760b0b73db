import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, registerEnumType, Resolver } from 'type-graphql';
import { Invalid } from '../../../shared/core/values/errors.js';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { createProjectSnippet, createSnippet } from '../../../shared/planning/snippets/create-snippet.js';
import { getSnippet } from '../../../shared/planning/snippets/snippet.operations.js';
import type { SnippetRecord } from '../../../shared/planning/snippets/snippet.entity.js';
import { deleteSnippet, updateSnippet } from '../../../shared/planning/snippets/update-snippet.js';
import type { GlobalId } from '../../core/graphql/global-ids.js';
import { mutate, MutationInput, MutationPayload } from '../../core/graphql/mutations.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { VisibilityLevelsEnum } from '../../tenancy/projects/project-list.graphql.js';
import { projectOfPath } from '../../tenancy/projects/projects.graphql.js';
import { SnippetID, SnippetObject } from './snippets.graphql.js';

const SnippetBlobAction = { create: 'create', update: 'update', delete: 'delete', move: 'move' } as const;
registerEnumType(SnippetBlobAction, {
  name: 'SnippetBlobActionEnum',
  description: 'Type of action on a file of a snippet.',
  valuesConfig: {
    create: { description: 'Creates the file.' },
    update: { description: 'Updates the content of the file.' },
    delete: { description: 'Deletes the file.' },
    move: { description: 'Moves the file to another path.' },
  },
});

@InputType('SnippetBlobActionInputType', { description: 'Action on a file of a snippet.' })
class SnippetBlobActionInput {
  @Field(() => SnippetBlobAction, { description: 'Type of the action.' })
  action!: keyof typeof SnippetBlobAction;

  @Field(() => String, { description: 'Path of the file; the new path for a moved file. Can be empty for a new file.' })
  filePath!: string;

  @Field(() => String, { nullable: true, description: 'Previous path of a moved file.' })
  previousPath?: string | null;

  @Field(() => String, { nullable: true, description: 'New content of the file.' })
  content?: string | null;
}

@InputType('CreateSnippetInput', { description: 'Input to create a snippet.' })
class CreateSnippetInput extends MutationInput {
  @Field(() => String, { description: 'Title of the snippet, of at most 255 characters.' })
  title!: string;

  @Field(() => String, { nullable: true, description: 'Description of the snippet, in Markdown.' })
  description?: string | null;

  @Field(() => VisibilityLevelsEnum, { description: 'Visibility level of the snippet.' })
  visibilityLevel!: string;

  @Field(() => ID, {
    nullable: true,
    description: 'Full path of the project of the snippet; omitted for a personal snippet.',
  })
  projectPath?: string | null;

  @Field(() => [SnippetBlobActionInput], {
    nullable: true,
    description: 'Actions that create the files of the snippet: at most ten.',
  })
  blobActions?: SnippetBlobActionInput[] | null;
}

@InputType('UpdateSnippetInput', { description: 'Input to update a snippet.' })
class UpdateSnippetInput extends MutationInput {
  @Field(() => SnippetID, { description: 'Global ID of the snippet.' })
  id!: GlobalId;

  @Field(() => String, { nullable: true, description: 'Title of the snippet, of at most 255 characters.' })
  title?: string | null;

  @Field(() => String, { nullable: true, description: 'Description of the snippet, in Markdown.' })
  description?: string | null;

  @Field(() => VisibilityLevelsEnum, { nullable: true, description: 'Visibility level of the snippet.' })
  visibilityLevel?: string | null;

  @Field(() => [SnippetBlobActionInput], {
    nullable: true,
    description: 'Actions on the files of the snippet, in order.',
  })
  blobActions?: SnippetBlobActionInput[] | null;
}

@InputType('DestroySnippetInput', { description: 'Input to delete a snippet.' })
class DestroySnippetInput extends MutationInput {
  @Field(() => SnippetID, { description: 'Global ID of the snippet.' })
  id!: GlobalId;
}

function snippetPayload(name: string) {
  @ObjectType(name, { description: 'Payload of a mutation of a snippet.', simpleResolvers: true })
  class SnippetPayload extends MutationPayload {
    @Field(() => SnippetObject, { nullable: true, description: 'Snippet after the mutation.' })
    snippet?: SnippetObject | null;
  }
  return SnippetPayload;
}

const CreatePayload = snippetPayload('CreateSnippetPayload');
const UpdatePayload = snippetPayload('UpdateSnippetPayload');
const DestroyPayload = snippetPayload('DestroySnippetPayload');

/** Drops absent values. */
const withoutNulls = (params: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined && value !== null));

/** The files of a new snippet. @throws Invalid for actions on files that do not exist yet */
function filesOf({ blobActions }: CreateSnippetInput): unknown[] {
  const actions = blobActions ?? [];
  if (actions.some(({ action }) => action !== 'create')) throw new Invalid('Snippet actions have invalid data');
  return actions.map(({ filePath, content }, at) => ({
    file_path: filePath || `snippetfile${at + 1}.txt`,
    content: content ?? '',
  }));
}

const payload = (record: SnippetRecord, request: GraphqlRequest) => ({ snippet: new SnippetObject(record, request) });

function create(request: GraphqlRequest, input: CreateSnippetInput): Promise<SnippetRecord> {
  const { title, description, visibilityLevel: visibility, projectPath } = input;
  const params = withoutNulls({ title, description, visibility, files: filesOf(input) });
  return projectPath
    ? invoke(request.ctx, createProjectSnippet, params, () => projectOfPath(request, projectPath))
    : invoke(request.ctx, createSnippet, params);
}

function update({ ctx }: GraphqlRequest, input: UpdateSnippetInput): Promise<SnippetRecord> {
  const { id, title, description, visibilityLevel: visibility, blobActions } = input;
  const files = blobActions?.map(({ action, filePath, previousPath, content }) =>
    withoutNulls({ action, file_path: filePath, previous_path: previousPath, content }),
  );
  const descriptionInput = description === undefined ? {} : { description };
  return invoke(ctx, updateSnippet, { id: id.id, ...withoutNulls({ title, visibility, files }), ...descriptionInput });
}

@Resolver()
export class SnippetMutations {
  @Mutation(() => CreatePayload, { nullable: true, description: 'Creates a project snippet or a personal snippet.' })
  createSnippet(
    @Arg('input', () => CreateSnippetInput, { description: 'Parameters of the mutation.' }) input: CreateSnippetInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return mutate(input, async () => payload(await create(request, input), request));
  }

  @Mutation(() => UpdatePayload, { nullable: true, description: 'Updates a snippet and its files.' })
  updateSnippet(
    @Arg('input', () => UpdateSnippetInput, { description: 'Parameters of the mutation.' }) input: UpdateSnippetInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return mutate(
      input,
      async () => payload(await update(request, input), request),
      async () => payload(await invoke(request.ctx, getSnippet, { id: input.id.id }), request),
    );
  }

  @Mutation(() => DestroyPayload, { nullable: true, description: 'Deletes a snippet with its files.' })
  destroySnippet(
    @Arg('input', () => DestroySnippetInput, { description: 'Parameters of the mutation.' }) input: DestroySnippetInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return mutate(input, async () => {
      await invoke(request.ctx, deleteSnippet, { id: input.id.id });
      return { snippet: null };
    });
  }
}
