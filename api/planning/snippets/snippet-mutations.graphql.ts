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
  description: 'What is done to a file of a snippet.',
  valuesConfig: {
    create: { description: 'It is made.' },
    update: { description: 'Its content is changed.' },
    delete: { description: 'It is removed.' },
    move: { description: 'It gets another path.' },
  },
});

@InputType('SnippetBlobActionInputType', { description: 'What is done to a file of a snippet.' })
class SnippetBlobActionInput {
  @Field(() => SnippetBlobAction, { description: 'What is done.' })
  action!: keyof typeof SnippetBlobAction;

  @Field(() => String, { description: 'Its path; of a moved file the new one. Of a new file it may be empty.' })
  filePath!: string;

  @Field(() => String, { nullable: true, description: 'Where a moved file was.' })
  previousPath?: string | null;

  @Field(() => String, { nullable: true, description: 'Its new content.' })
  content?: string | null;
}

@InputType('CreateSnippetInput', { description: 'A snippet to make.' })
class CreateSnippetInput extends MutationInput {
  @Field(() => String, { description: 'Its title, of at most 255 characters.' })
  title!: string;

  @Field(() => String, { nullable: true, description: 'What it is about, as Markdown.' })
  description?: string | null;

  @Field(() => VisibilityLevelsEnum, { description: 'Who may see it.' })
  visibilityLevel!: string;

  @Field(() => ID, {
    nullable: true,
    description: 'Full path of the project that it lies in; a personal one has none.',
  })
  projectPath?: string | null;

  @Field(() => [SnippetBlobActionInput], { nullable: true, description: 'Its files, each made: at most ten.' })
  blobActions?: SnippetBlobActionInput[] | null;
}

@InputType('UpdateSnippetInput', { description: 'A snippet, and what is changed about it.' })
class UpdateSnippetInput extends MutationInput {
  @Field(() => SnippetID, { description: 'The snippet.' })
  id!: GlobalId;

  @Field(() => String, { nullable: true, description: 'Its title, of at most 255 characters.' })
  title?: string | null;

  @Field(() => String, { nullable: true, description: 'What it is about, as Markdown.' })
  description?: string | null;

  @Field(() => VisibilityLevelsEnum, { nullable: true, description: 'Who may see it.' })
  visibilityLevel?: string | null;

  @Field(() => [SnippetBlobActionInput], { nullable: true, description: 'What is done to its files, in order.' })
  blobActions?: SnippetBlobActionInput[] | null;
}

@InputType('DestroySnippetInput', { description: 'A snippet to delete.' })
class DestroySnippetInput extends MutationInput {
  @Field(() => SnippetID, { description: 'The snippet.' })
  id!: GlobalId;
}

function snippetPayload(name: string) {
  @ObjectType(name, { description: 'What became of the snippet.', simpleResolvers: true })
  class SnippetPayload extends MutationPayload {
    @Field(() => SnippetObject, { nullable: true, description: 'The snippet as it is now.' })
    snippet?: SnippetObject | null;
  }
  return SnippetPayload;
}

const CreatePayload = snippetPayload('CreateSnippetPayload');
const UpdatePayload = snippetPayload('UpdateSnippetPayload');
const DestroyPayload = snippetPayload('DestroySnippetPayload');

/** Without what is not given. */
const withoutNulls = (params: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined && value !== null));

/** The files that a snippet is made with. @throws Invalid for what is done to files that are not there yet */
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
  @Mutation(() => CreatePayload, { nullable: true, description: 'Makes a snippet, of a project or a personal one.' })
  createSnippet(
    @Arg('input', () => CreateSnippetInput, { description: 'The snippet.' }) input: CreateSnippetInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return mutate(input, async () => payload(await create(request, input), request));
  }

  @Mutation(() => UpdatePayload, { nullable: true, description: 'Edits a snippet and its files.' })
  updateSnippet(
    @Arg('input', () => UpdateSnippetInput, { description: 'The snippet.' }) input: UpdateSnippetInput,
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
    @Arg('input', () => DestroySnippetInput, { description: 'The snippet.' }) input: DestroySnippetInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return mutate(input, async () => {
      await invoke(request.ctx, deleteSnippet, { id: input.id.id });
      return { snippet: null };
    });
  }
}
