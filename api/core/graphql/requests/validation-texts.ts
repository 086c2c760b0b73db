import {
  FieldsOnCorrectTypeRule,
  KnownArgumentNamesRule,
  KnownDirectivesRule,
  KnownTypeNamesRule,
  Kind,
  NoUndefinedVariablesRule,
  print,
  ProvidedRequiredArgumentsRule,
  ScalarLeafsRule,
  ValuesOfCorrectTypeRule,
  VariablesInAllowedPositionRule,
  isNonNullType,
} from 'graphql';
import type { ASTNode, GraphQLError, GraphQLFormattedError, ValidationContext, ValidationRule } from 'graphql';

type ErrorDescription = Pick<GraphQLFormattedError, 'extensions'> & { message?: string };
type Describe = (error: GraphQLError, context: ValidationContext) => ErrorDescription;

const getName = (node: ASTNode | undefined): string =>
  node && 'name' in node && node.name && 'value' in node.name ? node.name.value : '';

/** The owner of an argument, as `Field 'project'` or `Directive 'skip'`. */
function owner(context: ValidationContext): string {
  const directive = context.getDirective();
  return directive ? `Directive '${directive.name}'` : `Field '${context.getFieldDef()?.name ?? ''}'`;
}

function undefinedField(error: GraphQLError, context: ValidationContext): ErrorDescription {
  const typeName = context.getParentType()?.name ?? '';
  const fieldName = getName(error.nodes?.[0]);
  return {
    message: `Field '${fieldName}' doesn't exist on type '${typeName}'`,
    extensions: { code: 'undefinedField', typeName, fieldName },
  };
}

function argumentNotAccepted(error: GraphQLError, context: ValidationContext): ErrorDescription {
  const argumentName = getName(error.nodes?.[0]);
  return {
    message: `${owner(context)} doesn't accept argument '${argumentName}'`,
    extensions: { code: 'argumentNotAccepted', name: context.getFieldDef()?.name, argumentName },
  };
}

function missingRequiredArguments(error: GraphQLError, context: ValidationContext): ErrorDescription {
  // The engine reports each argument separately; its message starts with the name.
  const missing = /argument "(\w+)"/.exec(error.message)?.[1] ?? '';
  return {
    message: `${owner(context)} is missing required arguments: ${missing}`,
    extensions: { code: 'missingRequiredArguments', name: context.getFieldDef()?.name, arguments: missing },
  };
}

function selectionMismatch(error: GraphQLError, context: ValidationContext): ErrorDescription {
  const field = getName(error.nodes?.[0]);
  const type = String(context.getType());
  const bare = type.replace(/[![\]]/g, '');
  const node = error.nodes?.[0];
  const selected = node?.kind === Kind.SELECTION_SET;
  return {
    message: selected
      ? `Selections can't be made on scalars (field returns ${bare} but has selections ${print(node).replace(/\s+/g, ' ')})`
      : `Field must have selections (field '${field}' returns ${bare} but has no selections. Did you mean '${field} { ... }'?)`,
    extensions: { code: 'selectionMismatch', typeName: bare },
  };
}

function argumentLiterals(error: GraphQLError, context: ValidationContext): ErrorDescription {
  // The scalar's own message is more specific.
  const own =
    error.originalError?.message ??
    (/^(Expected|Value|Enum|Field|Int|Float|String|Boolean|ID)\b/.test(error.message) ? null : error.message);
  const argument = context.getArgument();
  const node = error.nodes?.[0];
  const standard =
    argument && node && (isNonNullType(argument.type) || node.kind !== Kind.NULL)
      ? `Argument '${argument.name}' on ${owner(context)} has an invalid value (${print(node)}). Expected type '${String(argument.type)}'.`
      : error.message;
  return {
    message: own ?? standard,
    extensions: { code: 'argumentLiteralsIncompatible', ...(argument ? { argumentName: argument.name } : {}) },
  };
}

function variableNotDefined(error: GraphQLError): ErrorDescription {
  const variableName = getName(error.nodes?.[0]);
  const operation = getName(error.nodes?.[1]) || 'anonymous query';
  return {
    message: `Variable $${variableName} is used by ${operation} but not declared`,
    extensions: { code: 'variableNotDefined', variableName },
  };
}

function variableMismatch(error: GraphQLError): ErrorDescription {
  const [, variableName, actualType, expected] =
    /^Variable "\$(\w+)" of type "(.+?)" used in position expecting type "(.+?)"/.exec(error.message) ?? [];
  return {
    message: `Type mismatch on variable $${variableName} (${actualType} / ${expected})`,
    extensions: { code: 'variableMismatch', variableName, typeName: actualType },
  };
}

function undefinedDirective(error: GraphQLError): ErrorDescription {
  const directiveName = getName(error.nodes?.[0]);
  if (!error.message.startsWith('Unknown directive')) return {};
  return {
    message: `Directive @${directiveName} is not defined`,
    extensions: { code: 'undefinedDirective', directiveName },
  };
}

function undefinedType(error: GraphQLError): ErrorDescription {
  const typeName = getName(error.nodes?.[0]);
  return { message: `No such type ${typeName}`, extensions: { code: 'undefinedType', typeName } };
}

/** Clients of the public API read these codes, and some the texts (graphql.md section 1.3). */
const TEXTS = new Map<ValidationRule, Describe>([
  [FieldsOnCorrectTypeRule, undefinedField],
  [KnownArgumentNamesRule, argumentNotAccepted],
  [ProvidedRequiredArgumentsRule, missingRequiredArguments],
  [ScalarLeafsRule, selectionMismatch],
  [ValuesOfCorrectTypeRule, argumentLiterals],
  [NoUndefinedVariablesRule, variableNotDefined],
  [VariablesInAllowedPositionRule, variableMismatch],
  [KnownDirectivesRule, undefinedDirective],
  [KnownTypeNamesRule, undefinedType],
]);

/** Message and `extensions.code` of an error that a rule of the engine reported; the engine's own where none is known. */
export function describe(rule: ValidationRule, error: GraphQLError, context: ValidationContext): ErrorDescription {
  return TEXTS.get(rule)?.(error, context) ?? {};
}
