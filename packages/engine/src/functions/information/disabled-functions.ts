import { cellErrors } from '../../base/values.ts';
import { define, type Definition } from '../define.ts';

/**
 * Functions of Excel, Google Sheets and LibreOffice that access the network, the machine or a data server, or query
 * XML. They are defined so that workbooks that use them can be opened, but they and their arguments are never
 * evaluated.
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
