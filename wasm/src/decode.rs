//! Reads JavaScript values, of the kind that `JSON.parse` makes, into core's types.
//!
//! Does by hand what serde-wasm-bindgen does for every kind of type, because of its size: that one brings the printing
//! of floating-point numbers (for the sentence of an error) and two ways into every list, 9 KB of compressed WASM.
//! What core's types do not hold (byte strings, tuples, enums with content) is an error here.

use std::fmt::{self, Display};

use js_sys::{Array, Object, Reflect};
use serde::de::{self, DeserializeSeed, Deserializer, Expected, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::forward_to_deserialize_any;
use wasm_bindgen::{JsCast, JsValue};

/// What is wrong with a value and where, as the end of a sentence:
/// `targets[0].selector: a number where a string belongs`. Boxed, because it is passed on from every field of every
/// type: a pointer costs less code than two texts.
#[derive(Debug)]
pub(crate) struct Problem(Box<Place>);

#[derive(Debug)]
struct Place {
    path: String,
    what: String,
}

impl Problem {
    /// The same, seen from the object that has the value as `field`.
    #[cold]
    #[inline(never)]
    fn in_field(mut self, field: &str) -> Self {
        let path = &mut self.0.path;
        let dot = if path.is_empty() || path.starts_with('[') { "" } else { "." };
        *path = [field, dot, path].concat();
        self
    }

    /// The same, or if a struct's fields ended early, the last one that was looked for as what is missing.
    #[cold]
    #[inline(never)]
    fn for_want_of(mut self, field: &str) -> Self {
        if self.0.what.is_empty() {
            self.0.what = ["missing field `", field, "`"].concat();
        }
        self
    }

    /// The same, seen from the list that has the value at `place`.
    #[cold]
    #[inline(never)]
    fn in_list(self, place: u32) -> Self {
        self.in_field(&format!("[{place}]"))
    }
}

impl Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { path, what } = &*self.0;
        let colon = if path.is_empty() { "" } else { ": " };
        write!(f, "{path}{colon}{what}")
    }
}

impl std::error::Error for Problem {}

impl de::Error for Problem {
    fn custom<T: Display>(message: T) -> Self {
        Self(Box::new(Place { path: String::new(), what: message.to_string() }))
    }

    fn invalid_type(found: Unexpected<'_>, wanted: &dyn Expected) -> Self {
        Self::custom(format_args!("{} where {wanted} belongs", kind(&found)))
    }

    /// A struct's fields ended early; [`Problem::for_want_of`] says which.
    #[cold]
    #[inline(never)]
    fn invalid_length(_: usize, _: &dyn Expected) -> Self {
        Self(Box::new(Place { path: String::new(), what: String::new() }))
    }

    fn invalid_value(found: Unexpected<'_>, wanted: &dyn Expected) -> Self {
        Self::invalid_type(found, wanted)
    }
}

fn kind(found: &Unexpected<'_>) -> &'static str {
    match found {
        Unexpected::Bool(_) => "a truth value",
        Unexpected::Unsigned(_) | Unexpected::Signed(_) | Unexpected::Float(_) => "a number",
        Unexpected::Str(_) | Unexpected::Char(_) => "a text",
        Unexpected::Unit | Unexpected::Option => "nothing",
        Unexpected::Seq => "a list",
        Unexpected::Map => "an object",
        _ => "something else",
    }
}

/// A JavaScript value, to be read.
pub(crate) struct Value<'a>(pub(crate) &'a JsValue);

impl Value<'_> {
    fn unexpected(&self) -> Unexpected<'static> {
        let value = self.0;
        if value.is_null() || value.is_undefined() {
            Unexpected::Unit
        } else if value.as_bool().is_some() {
            Unexpected::Bool(true)
        } else if value.as_f64().is_some() {
            Unexpected::Float(0.0)
        } else if value.is_string() {
            Unexpected::Str("")
        } else if Array::is_array(value) {
            Unexpected::Seq
        } else if value.is_object() {
            Unexpected::Map
        } else {
            Unexpected::Other("")
        }
    }

    #[cold]
    #[inline(never)]
    fn instead_of(&self, wanted: &dyn Expected) -> Problem {
        de::Error::invalid_type(self.unexpected(), wanted)
    }

    /// A whole number that a JavaScript number holds exactly.
    fn whole(&self) -> Option<i64> {
        const SAFE: f64 = 9_007_199_254_740_991.0;
        let number = self.0.as_f64().filter(|n| n.fract() == 0.0 && n.abs() <= SAFE)?;
        Some(number as i64)
    }
}

macro_rules! read_whole {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
            match self.whole() {
                Some(number) => visitor.visit_i64(number),
                None => Err(self.instead_of(&visitor)),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Value<'_> {
    type Error = Problem;

    read_whole! { deserialize_u32 deserialize_u64 deserialize_i32 }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        match self.0.as_f64() {
            Some(number) => visitor.visit_f64(number),
            None => Err(self.instead_of(&visitor)),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        match self.0.as_bool() {
            Some(truth) => visitor.visit_bool(truth),
            None => Err(self.instead_of(&visitor)),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        match self.0.as_string() {
            Some(text) => visitor.visit_string(text),
            None => Err(self.instead_of(&visitor)),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        self.deserialize_string(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        if self.0.is_null() || self.0.is_undefined() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Problem> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        match self.0.dyn_ref::<Array>() {
            Some(list) => visitor.visit_seq(List { list, next: 0 }),
            None => Err(self.instead_of(&visitor)),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        match self.unexpected() {
            Unexpected::Map => {
                let entries = Object::entries(self.0.unchecked_ref());
                visitor.visit_map(Entries { entries, next: 0 })
            }
            _ => Err(self.instead_of(&visitor)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        match self.unexpected() {
            Unexpected::Map => {
                let mut fields = Fields { object: self.0, fields: fields.iter(), field: "" };
                visitor.visit_seq(&mut fields).map_err(|problem| problem.for_want_of(fields.field))
            }
            _ => Err(self.instead_of(&visitor)),
        }
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        Err(self.instead_of(&visitor))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        i8 i16 i64 i128 u8 u16 u128 f64 char bytes byte_buf unit unit_struct tuple tuple_struct enum identifier
    }
}

struct List<'a> {
    list: &'a Array,
    next: u32,
}

impl<'de> SeqAccess<'de> for List<'_> {
    type Error = Problem;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Problem> {
        if self.next >= self.list.length() {
            return Ok(None);
        }
        let place = self.next;
        let element = self.list.get(place);
        self.next += 1;
        seed.deserialize(Value(&element)).map(Some).map_err(|problem| problem.in_list(place))
    }
}

/// The fields that a struct knows, in their order; others are passed over. Undefined is as good as not there.
///
/// As a sequence, which needs no reading of names: half the size of a map. A field that is not there is a `None` in its
/// place, which serde's derive takes for `default` where the field has that, and else for the sequence's end: such
/// fields, options too, say `#[serde(default)]`.
struct Fields<'a> {
    object: &'a JsValue,
    fields: std::slice::Iter<'static, &'static str>,
    field: &'static str,
}

impl Fields<'_> {
    #[inline(never)]
    fn advance(&mut self) -> Option<JsValue> {
        self.field = self.fields.next()?;
        let value = Reflect::get(self.object, &JsValue::from(self.field)).unwrap_or_default();
        if value.is_undefined() { None } else { Some(value) }
    }
}

impl<'de> SeqAccess<'de> for &mut Fields<'_> {
    type Error = Problem;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Problem> {
        match self.advance() {
            Some(value) => match seed.deserialize(Value(&value)) {
                Ok(value) => Ok(Some(value)),
                Err(problem) => Err(problem.in_field(self.field)),
            },
            None => Ok(None),
        }
    }
}

/// Everything of an object, for maps.
struct Entries {
    entries: Array,
    next: u32,
}

impl<'de> MapAccess<'de> for Entries {
    type Error = Problem;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Problem> {
        if self.next >= self.entries.length() {
            return Ok(None);
        }
        let key = self.entries.get(self.next).unchecked_into::<Array>().get(0);
        seed.deserialize(Value(&key)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Problem> {
        let value = self.entries.get(self.next).unchecked_into::<Array>().get(1);
        self.next += 1;
        seed.deserialize(Value(&value))
    }
}
