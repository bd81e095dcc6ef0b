/** The text field's page, which stands in a frame of the overlay. */
import '../../design/tokens.css';
import { background } from '../../field/background';
import '../../field/field.css';
import { startField } from '../../field/frame';

const field = document.querySelector('textarea');
if (field) startField(field, background);
