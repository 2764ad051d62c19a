// Reads a declaration file written by tsc: its imports, exports and declarations, and the names they refer to.
import { parseSync } from 'vite';

/** Parses a TypeScript declaration file. Uses Vite's parser, because TypeScript 7 has no programming interface. */
export function parse(text, file) {
  const { program, comments, errors } = parseSync(file, text, { astType: 'ts' });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  return { body: program.body, comments };
}

export function readModule(text, file) {
  const module = { text, imports: new Map(), exports: new Map(), stars: [], declarations: new Map() };
  const { body, comments } = parse(text, file);
  const commentBefore = (start) => {
    const found = comments.findLast(({ end }) => end <= start);
    return found && text.slice(found.end, start).trim() === '' ? `${text.slice(found.start, found.end)}\n` : '';
  };
  const refuse = (node) => {
    const [line] = text.slice(node.start, node.end).split('\n', 1);
    throw new Error(`${file}: cannot roll up ${JSON.stringify(line)}; see tools/package/declarations.mjs`);
  };
  for (const node of body) {
    switch (node.type) {
      case 'ImportDeclaration':
        for (const specifier of node.specifiers) {
          if (specifier.type !== 'ImportSpecifier') refuse(node);
          module.imports.set(specifier.local.name, { source: node.source.value, name: specifier.imported.name });
        }
        break;
      case 'ExportAllDeclaration':
        if (node.exported || !node.source.value.startsWith('.')) refuse(node);
        module.stars.push(node.source.value);
        break;
      case 'ExportNamedDeclaration':
        for (const { local, exported, exportKind } of node.specifiers) {
          const isType = node.exportKind === 'type' || exportKind === 'type';
          module.exports.set(exported.name, { source: node.source?.value, name: local.name, isType });
        }
        if (node.declaration) {
          for (const name of declare(node.declaration, node.start)) module.exports.set(name, { name, isType: false });
        }
        break;
      default:
        declare(node, node.start);
    }
  }
  return module;

  /**
   * Adds a declaration and returns its names. Overloads, and a type and a value of the same name, are several
   * statements of one declaration.
   */
  function declare(node, start) {
    const { needsDeclare, parts } = partsOf(node, text) ?? refuse(node);
    return parts.map(({ id, ...part }) => {
      const references = [...referencesIn(part.node, new Set())];
      const statement = {
        id,
        needsDeclare,
        prefix: part.prefix,
        start: part.start,
        end: part.end,
        comment: commentBefore(start),
        references,
      };
      module.declarations.set(id.name, [...(module.declarations.get(id.name) ?? []), statement]);
      return id.name;
    });
  }
}

function partsOf(node, text) {
  const declareWord = 'declare ';
  const start = text.startsWith(declareWord, node.start) ? node.start + declareWord.length : node.start;
  switch (node.type) {
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      return { needsDeclare: false, parts: [{ id: node.id, node, prefix: '', start, end: node.end }] };
    case 'ClassDeclaration':
    case 'TSDeclareFunction':
      return { needsDeclare: true, parts: [{ id: node.id, node, prefix: '', start, end: node.end }] };
    case 'VariableDeclaration':
      return {
        needsDeclare: true,
        parts: node.declarations.map((one) => ({
          id: nameOf(one.id),
          node: one,
          prefix: `${node.kind} `,
          start: one.start,
          end: one.end,
        })),
      };
    default:
      return undefined;
  }
}

/**
 * Returns the name and range of an identifier. The end is computed from the name, because the parser's range includes
 * the type annotation.
 */
function nameOf({ name, start }) {
  return { name, start, end: start + name.length };
}

/** Yields names that refer to a declaration, an import or a global. Type parameters are skipped. */
function* referencesIn(node, parameters) {
  const inner = new Set([...parameters, ...parametersOf(node)]);
  switch (node.type) {
    case 'TSTypeReference':
      yield* root(node.typeName, inner);
      break;
    case 'TSTypeQuery':
      if (node.exprName.type !== 'TSImportType') yield* root(node.exprName, inner);
      break;
    case 'TSInterfaceHeritage':
    case 'TSClassImplements':
      yield* root(node.expression, inner);
      break;
    case 'ClassDeclaration':
      if (node.superClass) yield* root(node.superClass, inner);
      break;
    case 'TSImportType':
      if (!node.qualifier) throw new Error(`cannot roll up import(${node.source.raw}) as a whole`);
      yield {
        name: rootOf(node.qualifier).name,
        source: node.source.value,
        start: node.start,
        end: rootOf(node.qualifier).end,
      };
      break;
    default:
      if (node.computed && node.key) yield* root(node.key, inner);
  }
  for (const child of childrenOf(node)) yield* referencesIn(child, inner);
}

function* root(expression, parameters) {
  const found = rootOf(expression);
  if (found?.type === 'Identifier' && !parameters.has(found.name))
    yield { name: found.name, start: found.start, end: found.end };
}

/** Returns `Outer` of `Outer.Inner`. */
function rootOf(expression) {
  if (expression.type === 'TSQualifiedName') return rootOf(expression.left);
  return expression.type === 'MemberExpression' ? rootOf(expression.object) : expression;
}

function parametersOf(node) {
  if (node.type === 'TSMappedType') return [node.key.name];
  if (node.type === 'TSConditionalType') return inferredIn(node.extendsType);
  return node.typeParameters?.params?.map(({ name }) => name.name) ?? [];
}

function inferredIn(node) {
  const own = node.type === 'TSInferType' ? [node.typeParameter.name.name] : [];
  return [...own, ...childrenOf(node).flatMap(inferredIn)];
}

export function childrenOf(node) {
  const values = Object.values(node).flat();
  return values.filter((value) => typeof value === 'object' && value !== null && typeof value.type === 'string');
}
