import { coerceInputValue, isInputType, isNonNullType, print, typeFromAST } from 'graphql';
import type { GraphQLFormattedError, GraphQLSchema, OperationDefinitionNode, VariableDefinitionNode } from 'graphql';

interface Problem {
  path: (string | number)[];
  explanation: string;
  message: string;
}

/** The errors in the value of one variable. */
function getProblems(schema: GraphQLSchema, definition: VariableDefinitionNode, variables: Record<string, unknown>) {
  const problems: Problem[] = [];
  const add = (path: readonly (string | number)[], explanation: string) =>
    problems.push({ path: [...path], explanation, message: explanation });
  const type = typeFromAST(schema, definition.type);
  // The validation has already reported types that do not exist or are not input types.
  if (!type || !isInputType(type)) return problems;
  const value = variables[definition.variable.name.value];
  if (value === undefined) {
    if (isNonNullType(type) && !definition.defaultValue) add([], 'Expected value to not be null');
  } else {
    coerceInputValue(value, type, (path, invalid, error) =>
      add(path, invalid === null ? 'Expected value to not be null' : error.message),
    );
  }
  return problems;
}

/** Errors about values of variables, in the form of graphql.md section 1.3. */
export function variableErrors(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): GraphQLFormattedError[] {
  return (operation.variableDefinitions ?? []).flatMap((definition) => {
    const problems = getProblems(schema, definition, variables);
    if (problems.length === 0) return [];
    const name = definition.variable.name.value;
    const inner = problems.filter(({ path }) => path.length > 0);
    const where = inner.map(({ path, explanation }) => `${path.join('.')} (${explanation})`).join(', ');
    const message = `Variable $${name} of type ${print(definition.type)} was provided invalid value`;
    const { startToken } = definition.loc ?? {};
    return {
      message: where === '' ? message : `${message} for ${where}`,
      ...(startToken ? { locations: [{ line: startToken.line, column: startToken.column }] } : {}),
      extensions: { value: variables[name] ?? null, problems },
    };
  });
}
