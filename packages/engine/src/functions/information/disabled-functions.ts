import { cellErrors } from '../../base/values.ts';
import { define, type Definition } from '../define.ts';

/**
 * Functions of other programs that access the network, the machine or a data server. They are known by name so that
 * workbooks with them can be opened, but they are never evaluated, nor are their arguments.
 */
const closedFunctions =
  `CALL COPILOT CUBEKPIMEMBER CUBEMEMBER CUBEMEMBERPROPERTY CUBERANKEDMEMBER CUBESET CUBESETCOUNT CUBEVALUE DDE
DETECTLANGUAGE FILTERXML GOOGLEFINANCE GOOGLETRANSLATE IMAGE IMPORTDATA IMPORTFEED IMPORTHTML IMPORTRANGE
IMPORTXML PY REGISTER.ID RTD SQL.REQUEST STOCKHISTORY TRANSLATE WEBSERVICE`.split(/\s+/);

export const disabledFunctions: readonly Definition[] = closedFunctions.map((name) =>
  define(
    name,
    'lazy? lazy...',
    (call) => {
      call.isMissing = true;
      return cellErrors.blocked;
    },
    { isClosed: true },
  ),
);
