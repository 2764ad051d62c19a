import type { z } from 'zod';

/**
 * Handlers that convert a Zod schema to a value of type `Made`. `list` and `union` receive the values made of the
 * nested schemas. `object` receives the schemas of its fields and converts them itself. A schema of any other type
 * results in undefined.
 */
export interface SchemaVisitor<Made> {
  object(fields: readonly (readonly [string, z.core.$ZodType])[], acceptsOthers: boolean): Made | undefined;
  list(item: Made): Made;
  union?(options: readonly Made[]): Made;
}

/**
 * Returns a function that converts a Zod schema with the visitor. The result is cached per schema. A wrapper such as
 * `optional` is converted like the schema inside it.
 */
export function createSchemaConverter<Made>(
  visitor: SchemaVisitor<Made>,
): (schema: z.core.$ZodType) => Made | undefined {
  const known = new WeakMap<z.core.$ZodType, { readonly made: Made | undefined }>();
  const read = (schema: z.core.$ZodType): Made | undefined => {
    let found = known.get(schema);
    if (!found) known.set(schema, (found = { made: visit(schema) }));
    return found.made;
  };
  const visit = (schema: z.core.$ZodType): Made | undefined => {
    const { def } = (schema as z.core.$ZodTypes)._zod;
    switch (def.type) {
      case 'object':
        return visitor.object(Object.entries(def.shape), def.catchall !== undefined);
      case 'array': {
        const item = read(def.element);
        return item && visitor.list(item);
      }
      case 'optional':
      case 'nullable':
      case 'default':
      case 'prefault':
      case 'readonly':
        return read(def.innerType);
      case 'union': {
        const options = def.options.map(read).filter((one) => one !== undefined);
        return options.length === 0 ? undefined : visitor.union?.(options);
      }
      case 'pipe':
        // A pipe has two schemas. If the first one only transforms the input, the second one describes the accepted
        // input.
        return read((def.in as z.core.$ZodTypes)._zod.def.type === 'transform' ? def.out : def.in);
      default:
        return undefined;
    }
  };
  return read;
}
